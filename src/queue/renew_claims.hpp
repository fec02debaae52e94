#pragma once

#include <vector>

#include "commit/command.hpp"

namespace millrace {

// Keeps claims whose starts are still under way or wait for their turn.
struct RenewClaims {
    static constexpr std::string_view kName = "queue.renew_claims";
    static constexpr bool kPassesOverUnreadableRows = true;

    struct Held {
        ExecutionKey key{};
        std::int64_t token = 0;
    };

    std::vector<Held> claims{};
    Duration lease{};
};

struct RenewedClaims {
    std::size_t renewed = 0;
    std::vector<ExecutionKey> lost{};  // Over, or somebody else's by now: stop.
};

Footprint footprint(const RenewClaims& command);
Result<Decision<RenewedClaims>> decide(const RenewClaims& command, const WorkingSet& rows,
                                       Instant now);

}  // namespace millrace
