#pragma once

#include <string>

namespace millrace::rest {

// A message of a worker or a person, cut to kMessageBytesMax without breaking a character.
std::string message_text(std::string text);

}  // namespace millrace::rest
