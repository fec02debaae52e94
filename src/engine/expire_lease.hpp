#pragma once

#include "commit/command.hpp"

namespace millrace {

// Puts a job whose lease has run out back in line. Answers whether it did: a job that was finished,
// extended or claimed again in the meantime is left alone.
struct ExpireLease {
    static constexpr std::string_view kName = "instance.expire_lease";

    JobKey job{};
};

Footprint footprint(const ExpireLease& command);
Result<Decision<bool>> decide(const ExpireLease& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
