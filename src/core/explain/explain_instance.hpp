#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/explain/explanation.hpp"
#include "core/instance/instance.hpp"

namespace millrace {

// Who takes jobs of a type, as far as the server knows that was asked.
struct WorkersSeen {
    std::int64_t waiting = 0;               // Polls that wait now,
    std::optional<Instant> last_seen_at{};  // and when the last one came.
};

constexpr bool is_over(JobState state) {
    return state != JobState::unlocked && state != JobState::locked;
}

struct JobFacts {
    Job job{};
    std::int64_t waiting = 0;  // Jobs of its type that wait for a worker, this one included.
    WorkersSeen workers{};
    std::vector<Try> tries{};  // Those that have ended.
};

// Everything that an instance can wait for, as it was read.
struct InstanceFacts {
    Instance instance{};
    std::vector<JobFacts> jobs{};
    std::vector<UserTask> user_tasks{};  // Open ones.
};

Explanation explain(const InstanceFacts& facts, Instant now);
// One job alone.
Explanation explain(const JobFacts& facts, Instant now);

// What each open step waits for.
std::vector<Reason> reasons_of(const InstanceFacts& facts, Instant now);

}  // namespace millrace
