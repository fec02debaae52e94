#pragma once

#include <string>

namespace millrace {

// A message of an executor as every store can keep it: cut to kMessageBytesMax without breaking a
// character, without U+0000; a stand-in when it is no UTF-8.
std::string kept_message(std::string text);

}  // namespace millrace
