#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <string>
#include <vector>

namespace millrace {

// The bytes of a message as gRPC's own client sends them.
inline grpc::ByteBuffer buffer_of(const std::string& bytes) {
    const grpc::Slice slice(bytes);
    return {&slice, 1};
}

inline std::string taken_bytes(grpc::ByteBuffer& buffer) {
    std::string bytes;
    std::vector<grpc::Slice> slices;
    if (!buffer.Dump(&slices).ok()) return bytes;
    for (const grpc::Slice& slice : slices) {
        bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    }
    slices.clear();
    buffer.Clear();
    return bytes;
}

}  // namespace millrace
