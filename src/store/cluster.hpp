#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.hpp"
#include "base/result.hpp"

namespace millrace {

// A running server, as the others see it.
struct Replica {
    Id128 id{};          // Drawn at start: a server that starts again is another replica.
    std::string name{};  // For people: host and REST port.
    std::string version{};
    Instant started_at{};
    Instant seen_at{};  // By the store's clock.

    friend bool operator==(const Replica&, const Replica&) = default;
};

// The right to do a duty that one replica does for all. Whoever acts under it says its fence in the
// same transaction; a fence below the latest one is refused there.
struct DutyLease {
    std::string duty{};
    Id128 holder{};
    std::int64_t fence = 0;  // Grows whenever the holder changes.

    friend bool operator==(const DutyLease&, const DutyLease&) = default;
};

// One connection on which replicas know of each other. Same rules as for BatchStore. All times are
// the store's own, so skewed clocks agree. A store that one process has to itself has none: that
// process does every duty.
class Cluster {
public:
    virtual ~Cluster() = default;

    // Says that this replica lives, and answers all that have said so within `fresh`, this one
    // included, sorted by id. Forgets those that have been silent for a day.
    virtual Result<std::vector<Replica>> report(const Replica& self, Duration fresh) = 0;

    // This replica stops: the others need not wait until it is silent for long. Gives its leases
    // up, too.
    virtual Status leave(const Id128& replica) = 0;

    // Takes the lease of a duty for `duration` from now, or renews it. Empty while another replica
    // holds it.
    virtual Result<std::optional<DutyLease>> hold(std::string_view duty, const Id128& replica,
                                                  Duration duration) = 0;
};

}  // namespace millrace
