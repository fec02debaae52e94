#pragma once

#include <memory>

#include "api/grpc/method.hpp"
#include "api/grpc/millrace/message_shape.hpp"

namespace millrace::rpc {

// Server-sent events. The name of an event is the field of the reply that its data fills; its id
// fills `event_id`. Events of other names and comments are left out.
std::unique_ptr<ReplyStream> event_reply_stream(const wire::Message& prototype,
                                                const MessageShape& shape);

// Bytes as they come, in messages that a client with gRPC's limits can read.
std::unique_ptr<ReplyStream> byte_reply_stream(const wire::Message& prototype,
                                               const FieldShape& field);

}  // namespace millrace::rpc
