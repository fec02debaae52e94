#include "api/grpc/method.hpp"

#include "core/limits.hpp"

namespace millrace::rpc {

// Escapes make a text longer than its message was. Paths and queries, which the log shows, have the
// limit that they have in the header of an HTTP request.
Result<RestCall> bounded_call(const Method& method, std::string_view message) {
    Result<RestCall> call = method.to_call(message);
    if (!call) return call;
    if (call->body.size() > limits::kBodyBytesMax) {
        return Error{ErrorCode::too_large, "The request is too large as JSON."};
    }
    if (call->path.size() + call->query.size() > limits::kHeaderBytesMax) {
        return Error{ErrorCode::too_large, "Ids or filters of the request are too large."};
    }
    return call;
}

}  // namespace millrace::rpc
