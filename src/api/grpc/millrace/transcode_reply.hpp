#pragma once

#include <optional>
#include <string_view>

#include "api/grpc/millrace/fault.hpp"
#include "api/grpc/millrace/message_shape.hpp"

namespace millrace::rpc {

// Fills a message from a JSON object. Members that the shape does not have are ignored, and so are
// null and words that the enum does not have: an answer that was made is not lost for them.
// Anything else that does not fit is a fault, and the message is of no use then.
std::optional<Fault> read_object(std::string_view json, wire::Message& message,
                                 const MessageShape& shape);

}  // namespace millrace::rpc
