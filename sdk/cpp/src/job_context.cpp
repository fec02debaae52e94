#include "millrace/client/job_context.hpp"

namespace millrace::client {

std::string_view name_of(StopCause cause) {
    switch (cause) {
        case StopCause::lease_lost: return "LeaseLost";
        case StopCause::instance_cancelled: return "InstanceCancelled";
        case StopCause::timeout: return "Timeout";
        case StopCause::draining: return "Draining";
    }
    return "";
}

std::optional<StopCause> JobContext::cause() const {
    const int cause = cause_;
    if (cause == kGoingOn) return std::nullopt;
    return static_cast<StopCause>(cause);
}

void JobContext::end(StopCause cause) {
    int expected = kGoingOn;
    // Stored first: whoever sees the request finds its cause.
    if (cause_.compare_exchange_strong(expected, static_cast<int>(cause))) source_.request_stop();
}

}  // namespace millrace::client
