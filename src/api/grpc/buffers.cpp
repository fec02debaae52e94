#include "api/grpc/buffers.hpp"

#include <utility>
#include <vector>

namespace millrace::rpc {

grpc::ByteBuffer buffer_of(std::string bytes) {
    auto* kept = new std::string(std::move(bytes));
    const grpc::Slice slice(
        kept->data(), kept->size(), [](void* text) { delete static_cast<std::string*>(text); },
        kept);
    return {&slice, 1};
}

std::string taken_bytes(grpc::ByteBuffer& buffer) {
    std::string bytes;
    std::vector<grpc::Slice> slices;
    if (!buffer.Dump(&slices).ok()) return bytes;
    bytes.reserve(buffer.Length());
    for (const grpc::Slice& slice : slices) {
        bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    }
    // The buffer goes last: gRPC frees memory safely only within a call of its own, and under
    // pressure a slice that frees it outside of one ends the process.
    slices.clear();
    buffer.Clear();
    return bytes;
}

}  // namespace millrace::rpc
