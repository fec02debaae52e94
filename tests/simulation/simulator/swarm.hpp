#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/id.hpp"
#include "base/time.hpp"
#include "simulator/fault.hpp"
#include "simulator/sim_random.hpp"

namespace millrace::sim {

// Which part of all that can happen may happen in one run. A run in which everything can happen
// hides bugs that need much of one thing and nothing of another.
struct Swarm {
    int replicas = 1;
    // Whether the store has room for others: replicas, hints, leases of duties, its own clock. Else
    // the one process has it alone, by its own clock, as with the embedded store.
    bool is_shared = false;
    int committers = 1;  // Of each replica.
    std::vector<WorkspaceId> workspaces{};
    std::size_t event_count = 300;
    Duration gap_mean{};          // Between two events.
    std::vector<Fault> faults{};  // Those that occur; empty: none does.
    int fault_weight = 0;         // Their part of all events, as Actor::weight.
    int user_weight = 0;
    int worker_weight = 0;
    bool has_keys = false;           // Idempotency keys are sent.
    bool has_audit = false;          // Commands leave audit entries.
    bool has_bulk = false;           // Many items in one call.
    Duration lease{};                // Of jobs, about.
    int key_weight = 0;              // Of those who make API keys and revoke them.
    std::optional<Duration> kept{};  // What is over goes after so long.
    // The queue: its users, and the clusters where some of its executions run.
    int queue_weight = 0;
    int cluster_weight = 0;
    bool is_single = false;  // One dispatcher at a time, by a lock.
    Duration claim_lease{};  // Of claims of executions.
};

Swarm draw_swarm(SimRandom random);

}  // namespace millrace::sim
