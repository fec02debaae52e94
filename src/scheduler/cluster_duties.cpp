#include "scheduler/cluster_duties.hpp"

#include <algorithm>

namespace millrace {

void ClusterDuties::add(std::string name, RunOnce run_once) {
    duties_.push_back({std::move(name), std::move(run_once)});
}

Round ClusterDuties::run_once() {
    Round all;
    failed_.clear();
    for (const Duty& duty : duties_) {
        // Asked anew before each: the one before may have taken long.
        if (!right_.is_here()) return all;
        const Round round = duty.run_once();
        if (round.unhealthy) failed_ = duty.name;
        all.unhealthy = all.unhealthy || round.unhealthy;
        if (!round.next_at) continue;
        all.next_at = std::min(all.next_at.value_or(*round.next_at), *round.next_at);
    }
    return all;
}

}  // namespace millrace
