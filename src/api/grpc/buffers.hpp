#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <string>

namespace millrace::rpc {

// Handed over, not copied: replies can be large.
grpc::ByteBuffer buffer_of(std::string bytes);

// Of a message that was read. The buffer is empty afterwards.
std::string taken_bytes(grpc::ByteBuffer& buffer);

}  // namespace millrace::rpc
