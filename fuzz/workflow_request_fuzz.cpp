// Whatever bytes a client sends as the message of an rpc of workflow.v1, they become a call whose
// parts are well formed, or a refusal of the caller. The first byte of the input says which rpc.

#include <algorithm>
#include <string>

#include "api/grpc/workflow/methods.hpp"
#include "base/check.hpp"
#include "base/json/parse.hpp"
#include "fuzz_target.hpp"

namespace millrace {

namespace {

const rpc::Methods& workflow_rpcs() {
    static const rpc::Methods methods = rpc::workflow_methods();
    return methods;
}

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

// Limits of JSON are the handler's to refuse.
bool is_over_limit(std::string_view reason) {
    return reason.find(" levels") != std::string_view::npos ||
           reason.find(" values") != std::string_view::npos;
}

}  // namespace

void fuzz(std::string_view input) {
    if (input.empty()) return;
    const rpc::Methods& methods = workflow_rpcs();
    const rpc::Method& method =
        *methods[static_cast<unsigned char>(input.front()) % methods.size()];
    const std::string_view message = input.substr(1);
    if (const Result<rpc::RestCall> call = method.to_call(message); !call) {
        const ErrorCode code = call.error().code;
        MILLRACE_CHECK(code == ErrorCode::invalid_argument || code == ErrorCode::not_found);
        MILLRACE_CHECK(!call.error().detail.empty());
    } else {
        MILLRACE_CHECK(call->path.starts_with('/') && is_printable(call->path));
        MILLRACE_CHECK(is_printable(call->query));
        const Result<json::Value> body = json::parse(call->body.empty() ? "{}" : call->body);
        MILLRACE_CHECK(body || is_over_limit(body.error().detail));
    }
    // The same bytes as an answer: of our own server, but nothing may come of them but an error.
    (void)method.to_reply({.body = std::string(message)});
}

}  // namespace millrace
