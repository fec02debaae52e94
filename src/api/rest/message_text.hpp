#pragma once

#include <string>

namespace millrace::rest {

// A message of a worker or a person, cut to kMessageBytesMax without breaking a character. U+0000,
// which no database stores, becomes a space: a failure must be told whatever its text.
std::string message_text(std::string text);

}  // namespace millrace::rest
