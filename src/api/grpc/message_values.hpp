#pragma once

#include <cstddef>
#include <string_view>

namespace google::protobuf {
class Descriptor;
}

namespace millrace::rpc {

// How many values the bytes of a message would become: elements of lists, members of maps, fields
// that the message does not know. Stops counting beyond `max`. Two bytes can become an object of
// hundreds, so this looks at the bytes alone and makes nothing. What is no message is counted as
// far as it could be read: the parser gets no further either.
std::size_t values_in(std::string_view bytes, const google::protobuf::Descriptor& message,
                      std::size_t max);

}  // namespace millrace::rpc
