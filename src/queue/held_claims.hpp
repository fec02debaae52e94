#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "queue/renew_claims.hpp"

namespace millrace {

// The claims of this process and how long each lasts. A claim is to be renewed when half of its
// lease is left. Belongs to one thread at a time.
class HeldClaims {
public:
    explicit HeldClaims(Duration lease) : lease_(lease) {}

    // Takes the place of an older claim on the same execution.
    void hold(const ExecutionKey& key, std::int64_t token, Instant lease_until);
    void drop(const ExecutionKey& key);

    bool holds(const ExecutionKey& key) const { return claims_.contains(key); }
    // Whether a claim lasts that much longer.
    bool lasts(const ExecutionKey& key, Instant until) const;

    // Those that it is time to renew, `count_max` at most. Somebody has to tell how that went.
    std::vector<RenewClaims::Held> take_due(Instant now, std::size_t count_max);
    // What is still held of them, under the same tokens, lasts until then.
    void renewed(const std::vector<RenewClaims::Held>& claims, Instant lease_until);
    // They were not: it is time again then, even if their leases are over. Nobody may have noticed.
    void renew_again(const std::vector<RenewClaims::Held>& claims, Instant at);

    std::optional<Instant> next_at() const;
    std::size_t size() const { return claims_.size(); }

private:
    struct Claim {
        std::int64_t token = 0;
        Instant lease_until{};
        Instant renew_at{};  // The end of time while that is under way.
    };

    Claim* find(const RenewClaims::Held& held);
    void schedule(const ExecutionKey& key, Claim& claim, Instant renew_at);

    const Duration lease_;
    std::map<ExecutionKey, Claim> claims_;
    std::set<std::pair<Instant, ExecutionKey>> due_;
};

}  // namespace millrace
