#include "engine/fire_timer.hpp"

#include "engine/run_event.hpp"

namespace millrace {

namespace {

InstanceKey instance_key(const FireTimer& command) {
    return {instance_of(command.timer.id), command.timer.workspace_id};
}

// The row of a timer that has nothing left to do: it would be found due again and again.
Decision<FiredTimer> removal(const TimerKey& timer) {
    return {.effects = {.timers_removed = {timer}}};
}

// A timer that interrupts takes its step with it.
FiredTimer fired(const Instance& before, const Instance& after, TimerId timer) {
    if (before.state.pending_start) return FiredTimer::started;
    for (const OpenStep& step : before.state.open_steps) {
        for (const OpenTimer& open : step.timers) {
            if (open.sequence != timer.value.sequence()) continue;
            for (const OpenStep& still : after.state.open_steps) {
                if (still.sequence == step.sequence) return FiredTimer::dispatched;
            }
        }
    }
    return FiredTimer::interrupted;
}

}  // namespace

std::string_view FireTimer::name_of(FiredTimer fired) {
    switch (fired) {
        case FiredTimer::nothing: return kName;
        case FiredTimer::dispatched: return "instance.dispatch_boundary";
        case FiredTimer::interrupted: return "instance.interrupt_boundary";
        case FiredTimer::started: return "instance.start_put_off";
    }
    return kName;
}

Footprint footprint(const FireTimer& command) {
    return {.instances = {instance_key(command)}};
}

Result<Decision<FiredTimer>> decide(const FireTimer& command, const WorkingSet& rows, Instant now) {
    const Instance* instance = rows.find(instance_key(command));
    if (instance == nullptr) return removal(command.timer);

    Result<Ran> run = run_event(rows, *instance, TimerFired{command.timer.id}, now);
    if (!run && run.error().code == ErrorCode::not_found) return removal(command.timer);
    if (!run && run.error().code == ErrorCode::conflict) return Decision<FiredTimer>{};
    if (!run) return run.error();
    if (!run->missing.empty()) return Decision<FiredTimer>{.missing = std::move(run->missing)};
    const FiredTimer answer = fired(*instance, run->instance(), command.timer.id);
    return Decision<FiredTimer>{.effects = std::move(run->effects), .answer = answer};
}

}  // namespace millrace
