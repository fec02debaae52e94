#pragma once

#include "commit/command.hpp"

namespace millrace {

// What a lease that had run out meant.
enum class ExpiredLease {
    nothing,      // The job was finished, extended or claimed again in the meantime.
    delay_over,   // The engine had kept the job back, and lets it go.
    worker_lost,  // Back in line, after a delay if it keeps happening; no retry is consumed.
    timed_out,    // The try took longer than its step allows: it has failed.
};

// Deals with a job whose lease has run out.
struct ExpireLease {
    static constexpr std::string_view kName = "instance.expire_lease";

    JobKey job{};
};

Footprint footprint(const ExpireLease& command);
Result<Decision<ExpiredLease>> decide(const ExpireLease& command, const WorkingSet& rows,
                                      Instant now);

}  // namespace millrace
