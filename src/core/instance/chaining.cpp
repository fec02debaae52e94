#include "core/instance/chaining.hpp"

#include <utility>

#include "core/instance/machine.hpp"

namespace millrace {

namespace {

TimerKey timer_of(const Instance& instance, const PendingStart& chain) {
    return {{instance.key.id.value.with_sequence(chain.timer)}, instance.key.workspace_id};
}

}  // namespace

WriteSize write_size(const InstanceEffects& effects) {
    WriteSize size{
        .rows = 1 + effects.jobs.size() + effects.jobs_removed.size() + effects.timers.size() +
                effects.timers_removed.size() + effects.user_tasks.size() +
                effects.user_tasks_ended.size() + effects.step_executions.size(),
        .bytes = effects.instance.variables.text().size(),
    };
    for (const Job& job : effects.jobs) {
        if (job.variables) size.bytes += job.variables->text().size();
    }
    for (const JobVariables& job : effects.job_variables) {
        size.rows += 1;
        size.bytes += job.variables.text().size();
    }
    return size;
}

void put_chain_off(InstanceEffects& effects, Instant now) {
    Instance& instance = effects.instance;
    instance.status = InstanceStatus::active;
    instance.completed_at.reset();
    const PendingStart chain{
        .definition_id = std::exchange(effects.chained_definition, {}),
        .automatic_steps = effects.automatic_steps,
        .timer = ++instance.state.sequence,
    };
    effects.timers.push_back({timer_of(instance, chain), now});
    instance.state.pending_start = chain;
}

InstanceEffects put_start_off(Instance instance, Instant now) {
    const PendingStart start{.timer = ++instance.state.sequence};
    InstanceEffects effects;
    effects.timers.push_back({timer_of(instance, start), now});
    instance.state.pending_start = start;
    effects.instance = std::move(instance);
    return effects;
}

void Machine::begin_pending_start() {
    PendingStart chain = std::move(*state().pending_start);
    drop_pending_start();
    if (chain.definition_id.empty()) return begin();
    mutable_instance().status = InstanceStatus::completed;
    mutable_instance().completed_at = now_;
    effects_.chained_definition = std::move(chain.definition_id);
    effects_.automatic_steps = chain.automatic_steps;
}

void Machine::fail_pending_start(std::string reason) {
    const bool is_chained = !state().pending_start->definition_id.empty();
    drop_pending_start();
    if (!is_chained) return fail_instance(0, {.failure_reason = std::move(reason)});
    // Its own work is done: only the successor is missing.
    state().chain_failure = "CHAIN_FAILED: " + without_nul(std::move(reason));
    mutable_instance().status = InstanceStatus::completed;
    mutable_instance().completed_at = now_;
}

void Machine::drop_pending_start() {
    if (!state().pending_start) return;
    effects_.timers_removed.push_back(timer_of(instance(), *state().pending_start));
    state().pending_start.reset();
}

void Machine::pause_pending_start() {
    if (!state().pending_start) return;
    effects_.timers_removed.push_back(timer_of(instance(), *state().pending_start));
}

void Machine::resume_pending_start() {
    if (!state().pending_start) return;
    state().pending_start->timer = next_sequence();
    effects_.timers.push_back({timer_of(instance(), *state().pending_start), now_});
}

}  // namespace millrace
