#pragma once

#include <string>
#include <string_view>

#include "api/grpc/code.hpp"
#include "api/http/message.hpp"

namespace millrace::rpc {

// How a call ends.
struct CallStatus {
    Code code = Code::ok;
    std::string message{};
    // The bytes of a google.rpc.Status with ErrorInfo, and with BadRequest and RetryInfo where they
    // say something; empty for none.
    std::string details{};
};

// The one table from answers of the service to codes, for an answer from 400 on.
//
//     400 415 422                INVALID_ARGUMENT; FAILED_PRECONDITION for a reused idempotency key
//     401                        UNAUTHENTICATED
//     403                        PERMISSION_DENIED
//     404                        NOT_FOUND
//     409                        ABORTED, or FAILED_PRECONDITION where the rpc says so
//     410                        FAILED_PRECONDITION
//     413 429                    RESOURCE_EXHAUSTED
//     503                        UNAVAILABLE; UNKNOWN when nobody can tell whether it was done, so
//                                that no client repeats it by itself
//     405 501                    UNIMPLEMENTED
//     all others                 INTERNAL
enum class Conflict { is_aborted, is_failed_precondition };
CallStatus status_of(const http::HttpResponse& response, std::string_view request_id,
                     Conflict conflict);

// Of what the adapter itself refuses.
CallStatus status_of(const Error& error, std::string_view request_id);

}  // namespace millrace::rpc
