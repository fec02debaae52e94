// Whatever bytes a client sends as the request of an rpc, they become a call whose parts are well
// formed, or a refusal of the caller. The first byte of the input says which rpc.

#include <string>

#include "api/grpc/millrace/millrace_methods.hpp"
#include "base/check.hpp"
#include "base/json/parse.hpp"
#include "fuzz_target.hpp"

namespace millrace {

namespace {

const rpc::Methods& grpc_methods() {
    static const rpc::Methods methods = rpc::millrace_methods();
    return methods;
}

bool is_printable(std::string_view text) {
    for (const char c : text) {
        if (c <= ' ' || c >= '\x7f') return false;
    }
    return true;
}

bool is_over_limit(std::string_view reason) {
    return reason.find(" levels") != std::string_view::npos ||
           reason.find(" values") != std::string_view::npos;
}

bool is_refusal_of_caller(ErrorCode code) {
    return code == ErrorCode::invalid_argument || code == ErrorCode::not_found ||
           code == ErrorCode::too_large;
}

}  // namespace

void fuzz(std::string_view input) {
    if (input.empty()) return;
    const rpc::Methods& methods = grpc_methods();
    const rpc::Method& method =
        *methods[static_cast<unsigned char>(input.front()) % methods.size()];
    const Result<rpc::RestCall> call = method.to_call(input.substr(1));
    if (!call) {
        MILLRACE_CHECK(is_refusal_of_caller(call.error().code) && !call.error().detail.empty());
    } else {
        MILLRACE_CHECK(call->path.starts_with('/') && is_printable(call->path));
        MILLRACE_CHECK(is_printable(call->query));
        // Each JSON text in it is well formed and within the limits; all of them together may be
        // too deep or too many, which the handler refuses.
        const Result<json::Value> body = json::parse(call->body.empty() ? "{}" : call->body);
        MILLRACE_CHECK(body || is_over_limit(body.error().detail));
    }
    // The same bytes as an answer: of our own server, but nothing may come of them but an error.
    (void)method.to_reply({.body = std::string(input.substr(1))});
    if (const auto stream = method.reply_stream()) (void)stream->take(input.substr(1));
}

}  // namespace millrace
