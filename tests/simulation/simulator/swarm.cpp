#include "simulator/swarm.hpp"

#include <chrono>

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

std::vector<Fault> draw_faults(SimRandom& random) {
    std::vector<Fault> faults;
    if (random.chance(10)) return faults;
    const int share = random.between(15, 90);
    for (std::size_t fault = 0; fault < kFaultCount; ++fault) {
        if (random.chance(share)) faults.push_back(static_cast<Fault>(fault));
    }
    return faults;
}

}  // namespace

Swarm draw_swarm(SimRandom random) {
    Swarm swarm;
    swarm.is_shared = random.chance(75);
    swarm.replicas = swarm.is_shared ? random.between(1, 4) : 1;
    swarm.committers = swarm.is_shared && random.chance(40) ? 2 : 1;
    const std::vector<WorkspaceId> names{{"default"}, {"acme"}, {"globex"}};
    swarm.workspaces.assign(names.begin(), names.begin() + random.between(1, 3));
    swarm.event_count = 300 + random.below(100);
    swarm.gap_mean = random.between(20ms, 800ms);
    swarm.faults = draw_faults(random);
    swarm.fault_weight = swarm.faults.empty() ? 0 : random.between(2, 30);
    swarm.user_weight = random.between(20, 60);
    swarm.worker_weight = random.between(20, 60);
    swarm.has_keys = random.chance(60);
    swarm.has_audit = random.chance(50);
    swarm.has_bulk = random.chance(50);
    swarm.lease = random.between(5s, 40s);
    if (random.chance(60)) {
        swarm.queue_weight = random.between(10, 60);
        swarm.cluster_weight = random.chance(60) ? random.between(10, 40) : 0;
    }
    swarm.is_single = swarm.is_shared && random.chance(25);
    swarm.claim_lease = random.between(6s, 40s);
    if (random.chance(30)) swarm.key_weight = random.between(2, 10);
    // Longer than anybody sleeps: a late start that is recorded would bring the row back.
    if (random.chance(20)) swarm.kept = random.between(120s, 240s);
    return swarm;
}

}  // namespace millrace::sim
