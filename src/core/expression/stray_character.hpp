#pragma once

#include <string>

namespace millrace::expression {

// What is wrong with a character that no token begins with: its code point, and what to write
// instead where that is known. Word processors and chats put such characters into expressions.
std::string describe_stray(char32_t character);

}  // namespace millrace::expression
