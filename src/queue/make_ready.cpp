#include "queue/make_ready.hpp"

#include "core/queue/transitions.hpp"

namespace millrace {

Footprint footprint(const MakeReady& command) {
    return {.executions = {command.key}};
}

Result<Decision<MadeReady>> decide(const MakeReady& command, const WorkingSet& rows, Instant now) {
    const Execution* found = rows.find(command.key);
    if (found == nullptr || found->queue_status != QueueStatus::pending) {
        return Decision<MadeReady>{};
    }
    if (found->deadline && *found->deadline <= now) {
        const Execution late =
            failed(*found, failure::kDeadlineExceeded, "It was not started in time", now);
        return Decision<MadeReady>{
            .effects = {.executions = {late}},
            .answer = {.expired = late},
        };
    }
    std::optional<Execution> ready = made_ready(*found, now);
    if (!ready) return Decision<MadeReady>{};
    return Decision<MadeReady>{
        .effects = {.executions = {std::move(*ready)}},
        .answer = {.is_ready = true},
    };
}

}  // namespace millrace
