#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/id.hpp"
#include "simulator/fault.hpp"
#include "simulator/sim_random.hpp"

namespace millrace::sim {

// Which of the store calls of one replica go wrong, and how. A fault is armed by an event of the
// plan and strikes when its call comes.
class Weather {
public:
    using Counts = std::array<std::uint32_t, kFaultCount>;

    struct Strike {
        Fault fault = Fault::away;
        std::optional<StoreCall> call{};  // Empty: any.
        int skip = 0;                     // So many calls of that kind go well before.
        int count = 1;                    // So many in a row do not.
    };

    // Until then, each call goes wrong with that chance.
    struct Storm {
        std::vector<Fault> faults{};
        int percent = 0;
        Instant until{};
        SimRandom random{0};
    };

    void arm(const Strike& strike) { strikes_.push_back(strike); }
    void begin(Storm storm) { storm_ = std::move(storm); }
    void clear();

    // What happens to this call; empty: nothing. Counted.
    std::optional<Fault> strike(StoreCall call, Instant now);

    // What somebody else has locked, or the store refuses for its data, until then.
    void lock(const Id128& id, Instant until) { locked_.insert_or_assign(id, until); }
    bool is_locked(const Id128& id, Instant now) const;
    void poison(const Id128& id, Instant until) { poisoned_.insert_or_assign(id, until); }
    bool is_poisoned(const Id128& id, Instant now) const;
    bool has_poison() const { return !poisoned_.empty(); }

    // For faults that strike no call.
    void count(Fault fault) { counts_.at(static_cast<std::size_t>(fault)) += 1; }
    const Counts& counts() const { return counts_; }

private:
    std::optional<Fault> struck(StoreCall call, Instant now);

    std::vector<Strike> strikes_{};
    Storm storm_{};
    Counts counts_{};
    std::map<Id128, Instant> locked_{};
    std::map<Id128, Instant> poisoned_{};
};

// Whether a fault can strike such a call at all.
bool can_strike(Fault fault, StoreCall call);

}  // namespace millrace::sim
