#include "api/grpc/code.hpp"

#include <cstdlib>

namespace millrace::rpc {

std::string_view to_string(Code code) {
    switch (code) {
        case Code::ok: return "OK";
        case Code::cancelled: return "CANCELLED";
        case Code::unknown: return "UNKNOWN";
        case Code::invalid_argument: return "INVALID_ARGUMENT";
        case Code::deadline_exceeded: return "DEADLINE_EXCEEDED";
        case Code::not_found: return "NOT_FOUND";
        case Code::already_exists: return "ALREADY_EXISTS";
        case Code::permission_denied: return "PERMISSION_DENIED";
        case Code::resource_exhausted: return "RESOURCE_EXHAUSTED";
        case Code::failed_precondition: return "FAILED_PRECONDITION";
        case Code::aborted: return "ABORTED";
        case Code::out_of_range: return "OUT_OF_RANGE";
        case Code::unimplemented: return "UNIMPLEMENTED";
        case Code::internal: return "INTERNAL";
        case Code::unavailable: return "UNAVAILABLE";
        case Code::data_loss: return "DATA_LOSS";
        case Code::unauthenticated: return "UNAUTHENTICATED";
    }
    std::abort();  // Unreachable: -Wswitch keeps the table complete.
}

int http_status(Code code) {
    switch (code) {
        case Code::ok: return 200;
        case Code::cancelled:
        case Code::deadline_exceeded: return 499;  // The client did not wait for the answer.
        case Code::invalid_argument:
        case Code::out_of_range: return 400;
        case Code::not_found: return 404;
        case Code::already_exists:
        case Code::failed_precondition:
        case Code::aborted: return 409;
        case Code::permission_denied: return 403;
        case Code::resource_exhausted: return 429;
        case Code::unimplemented: return 404;
        case Code::unknown:
        case Code::unavailable: return 503;
        case Code::internal:
        case Code::data_loss: return 500;
        case Code::unauthenticated: return 401;
    }
    std::abort();
}

}  // namespace millrace::rpc
