#include "executor/temporal/start_answer.hpp"

#include <string_view>
#include <utility>

namespace millrace {

namespace {

StartAnswer failed(StartOutcome outcome, const CallStatus& status, std::string_view reason = {}) {
    return {
        .outcome = outcome,
        .run_id = {},
        .code = std::string(to_string(status.code)),
        .reason = std::string(reason),
        .message = status.message,
    };
}

StartAnswer refused(const CallStatus& status, std::string_view reason) {
    return failed(StartOutcome::refused, status, reason);
}

}  // namespace

StartAnswer not_sent(const CallStatus& status) {
    return failed(StartOutcome::unreachable, status);
}

StartAnswer answer_of(const CallStatus& status) {
    switch (status.code) {
        case CallCode::invalid_argument: return refused(status, "INVALID_REQUEST");
        // Of all that a start names, only the namespace has to be there.
        case CallCode::not_found: return refused(status, "NAMESPACE_NOT_FOUND");
        case CallCode::permission_denied:
        case CallCode::unauthenticated: return refused(status, "PERMISSION_DENIED");
        // Temporal turns such requests away before it does anything.
        case CallCode::resource_exhausted: return failed(StartOutcome::unreachable, status);
        // UNAVAILABLE may be the server's word, but also gRPC's own for a connection that broke
        // after the request had left; and a server says it when one behind it was lost.
        case CallCode::unavailable:
        case CallCode::deadline_exceeded:
        case CallCode::cancelled: return in_doubt(status);  // By us, or by a server that ends.
        case CallCode::ok:
        case CallCode::unknown:
        case CallCode::already_exists:
        case CallCode::failed_precondition:
        case CallCode::aborted:
        case CallCode::out_of_range:
        case CallCode::unimplemented:
        case CallCode::internal:
        case CallCode::data_loss: break;
    }
    return refused(status, to_string(status.code));
}

StartAnswer started(std::string run_id) {
    return {.outcome = StartOutcome::started, .run_id = std::move(run_id)};
}

StartAnswer conflict(const CallStatus& status) {
    return failed(StartOutcome::conflict, status, "WORKFLOW_ID_CONFLICT");
}

StartAnswer in_doubt(const CallStatus& status) {
    return failed(StartOutcome::unknown, status);
}

}  // namespace millrace
