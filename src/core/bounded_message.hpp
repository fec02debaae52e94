#pragma once

#include <string>

namespace millrace {

// A message of a worker, a person or an executor as every store can keep it: cut to
// kMessageBytesMax without breaking a character; U+0000, which no database stores, becomes a space.
// A failure must be told whatever its text.
std::string bounded_message(std::string text);

}  // namespace millrace
