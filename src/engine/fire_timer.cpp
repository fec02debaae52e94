#include "engine/fire_timer.hpp"

#include "engine/run_event.hpp"

namespace millrace {

namespace {

InstanceKey instance_key(const FireTimer& command) {
    return {instance_of(command.timer.id), command.timer.workspace_id};
}

// The row of a timer that has nothing left to do: it would be found due again and again.
Decision<bool> removal(const TimerKey& timer) {
    return {.effects = {.timers_removed = {timer}}, .answer = false};
}

}  // namespace

Footprint footprint(const FireTimer& command) {
    return {.instances = {instance_key(command)}};
}

Result<Decision<bool>> decide(const FireTimer& command, const WorkingSet& rows, Instant now) {
    const Instance* instance = rows.find(instance_key(command));
    if (instance == nullptr) return removal(command.timer);

    Result<Decision<Instance>> run = run_event(rows, *instance, TimerFired{command.timer.id}, now);
    if (!run && run.error().code == ErrorCode::not_found) return removal(command.timer);
    if (!run && run.error().code == ErrorCode::conflict) return Decision<bool>{.answer = false};
    if (!run) return run.error();
    return Decision<bool>{
        .effects = std::move(run->effects),
        .answer = true,
        .missing = std::move(run->missing),
    };
}

}  // namespace millrace
