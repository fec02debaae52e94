#pragma once

#include <string>
#include <string_view>

#include "executor/remote_executor.hpp"

namespace millrace {

// The codes of gRPC with their numbers.
enum class CallCode {
    ok = 0,
    cancelled = 1,
    unknown = 2,
    invalid_argument = 3,
    deadline_exceeded = 4,
    not_found = 5,
    already_exists = 6,
    permission_denied = 7,
    resource_exhausted = 8,
    failed_precondition = 9,
    aborted = 10,
    out_of_range = 11,
    unimplemented = 12,
    internal = 13,
    unavailable = 14,
    data_loss = 15,
    unauthenticated = 16,
};

// As it is written everywhere: DEADLINE_EXCEEDED.
std::string_view to_string(CallCode code);

struct CallStatus {
    CallCode code = CallCode::ok;
    std::string message{};

    bool is_ok() const { return code == CallCode::ok; }
};

// What gRPC says of a call. UNAVAILABLE for a stream that broke, which gRPC itself calls UNKNOWN:
// no server has said that.
CallStatus told_by_grpc(CallCode code, std::string message);

// Of a call that only asks.
CallFailure failure_of(const CallStatus& status);

// The server itself has said something: nobody gave up waiting for it, and it was there.
bool is_answer(CallCode code);

}  // namespace millrace
