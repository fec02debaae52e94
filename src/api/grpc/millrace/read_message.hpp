#pragma once

#include <optional>
#include <string_view>

#include "api/grpc/millrace/fault.hpp"
#include "api/grpc/millrace/wire.hpp"

namespace millrace::rpc {

// Reads the bytes of a request into an empty message. Any bytes may come: what is wrong with them
// is told by the field where that can be found out.
std::optional<Fault> read_message(std::string_view bytes, wire::Message& message);

// A field that the message does not know, or knows as another type: one level, not what is inside.
std::optional<Fault> unknown_field_in(const wire::Message& message);

}  // namespace millrace::rpc
