#pragma once

#include <string>

namespace millrace {

// What an executor or a worker has to say, cut to kMessageBytesMax without breaking a character.
std::string bounded_message(std::string text);

}  // namespace millrace
