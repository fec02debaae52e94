#include "executor/temporal/call_status.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace millrace {

namespace {

constexpr std::array<std::string_view, 17> kNames{
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
};

}  // namespace

std::string_view to_string(CallCode code) {
    const auto number = static_cast<std::size_t>(code);
    return number < kNames.size() ? kNames[number] : "UNKNOWN";
}

CallStatus told_by_grpc(CallCode code, std::string message) {
    const bool has_broken = code == CallCode::unknown && message == "Stream removed";
    return {.code = has_broken ? CallCode::unavailable : code, .message = std::move(message)};
}

CallFailure failure_of(const CallStatus& status) {
    return {
        .is_unreachable = status.code == CallCode::unavailable ||
                          status.code == CallCode::deadline_exceeded ||
                          status.code == CallCode::resource_exhausted,
        .code = std::string(to_string(status.code)),
        .message = status.message,
    };
}

bool is_answer(CallCode code) {
    return code != CallCode::unavailable && code != CallCode::deadline_exceeded &&
           code != CallCode::cancelled;
}

}  // namespace millrace
