#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "base/check.hpp"
#include "core/instance/machine.hpp"

namespace millrace {

// A failed instance keeps where it stood: the step that failed, its siblings that the failure has
// closed, and tokens that had not arrived. All are entered again, as new executions with their full
// number of tries.
void Machine::retry_instance() {
    std::vector<OpenStep> stopped = std::exchange(state().open_steps, {});
    std::vector<PendingToken> pending = std::exchange(state().pending_tokens, {});
    state().failed_sequence = 0;
    Instance& instance = mutable_instance();
    instance.status = InstanceStatus::active;
    instance.completed_at.reset();
    instance.failure_reason.reset();

    // Definitions whose steps never repeat keep no counts; from now on this instance does.
    for (const OpenStep& step : stopped) {
        const auto visit = std::ranges::find(state().visits, step.step_id, &Visit::step_id);
        if (visit == state().visits.end()) {
            state().visits.push_back({step.step_id, step.attempt_number});
        }
    }
    // The last one sent moves first: tokens go on in the order in which they stood.
    for (auto token = pending.begin(); token != pending.end(); ++token) {
        send(std::move(token->step_id), std::move(token->activations));
    }
    for (auto step = stopped.rbegin(); step != stopped.rend(); ++step) reopen(std::move(*step));
}

// A join that waited for more tokens waits on: those that have arrived do not come again. Any other
// step is entered by a token of its own.
void Machine::reopen(OpenStep stopped) {
    const auto waiting = std::ranges::find_if(state().activations, [&](const Activation& each) {
        return each.join_sequence == stopped.sequence;
    });
    if (waiting == state().activations.end()) {
        return send(std::move(stopped.step_id), std::move(stopped.activations));
    }
    const Step* join = definition_.find_step(stopped.step_id);
    MILLRACE_CHECK(join != nullptr);
    const std::uint32_t activation = waiting->sequence;
    const std::uint32_t sequence = open(*join, std::move(stopped.activations)).sequence;
    find_activation(activation)->join_sequence = sequence;
}

// Timers lose their rows, so none is found due; the state still knows when each is.
void Machine::suspend_instance() {
    state().is_suspended = true;
    for (const OpenStep& step : state().open_steps) {
        for (const OpenTimer& timer : step.timers) {
            effects_.timers_removed.push_back(timer_key(timer));
        }
    }
}

// Timers come back under new numbers: a suspension in the same batch has removed the old rows, and
// somebody who found one due before it may still ask for it.
void Machine::resume_instance() {
    state().is_suspended = false;
    for (OpenStep& step : state().open_steps) {
        for (OpenTimer& timer : step.timers) {
            timer.sequence = next_sequence();
            effects_.timers.push_back({timer_key(timer), timer.fire_at});
        }
    }
    std::vector<PendingToken> pending = std::exchange(state().pending_tokens, {});
    for (auto token = pending.rbegin(); token != pending.rend(); ++token) {
        send(std::move(token->step_id), std::move(token->activations));
    }
}

Status Machine::change_variables(const json::Value& changes,
                                 const std::vector<std::string>& removed) {
    Variables changed = instance().variables.merged(changes);
    if (!removed.empty()) {
        json::Value kept = changed.value();
        if (json::Object* members = kept.if_object()) {
            const std::unordered_set<std::string_view> names(removed.begin(), removed.end());
            std::erase_if(*members,
                          [&](const json::Member& member) { return names.contains(member.key); });
        }
        changed = Variables::from_value(kept);
    }
    return replace_variables(std::move(changed), 0);
}

}  // namespace millrace
