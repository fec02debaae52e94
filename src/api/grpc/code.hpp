#pragma once

#include <string_view>

namespace millrace::rpc {

// The codes of gRPC, with its numbers.
enum class Code {
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

inline constexpr int kCodes = 17;

// NOT_FOUND
std::string_view to_string(Code code);

// The status of HTTP that is nearest, for the log and for spans.
int http_status(Code code);

}  // namespace millrace::rpc
