#include <algorithm>

#include "base/check.hpp"
#include "core/instance/machine.hpp"

namespace millrace {

namespace {

// The job that asked first for what a retry asks for once more; 0 for a step without one.
std::uint32_t first_job_of(const OpenStep& step) {
    if (step.type != StepType::service_task) return 0;
    return step.first_job != 0 ? step.first_job : step.sequence + 1;
}

}  // namespace

// A failed instance keeps where it stood: the step that failed, its siblings that the failure has
// closed, and tokens that had not arrived. All are entered again, as new executions with their full
// number of tries; but not a step that had done its work.
Status Machine::retry_instance() {
    if (!knows_all_steps()) {
        return Error{ErrorCode::internal,
                     "The stored state cannot be continued: " + std::string(kNoSuchStep) + "."};
    }
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
        send(std::move(token->step_id), std::move(token->activations), token->first_job);
    }
    for (auto step = stopped.rbegin(); step != stopped.rend(); ++step) {
        if (!step->is_done) reopen(std::move(*step));
    }
    // Last: with all others standing again, a join knows for whom it waits.
    const auto done = std::ranges::find_if(stopped, &OpenStep::is_done);
    if (done != stopped.end()) leave(std::move(*done));
    return ok();
}

bool Machine::knows_all_steps() const {
    const auto is_known = [this](const auto& place) {
        return definition_.find_step(place.step_id) != nullptr;
    };
    return std::ranges::all_of(instance().state.open_steps, is_known) &&
           std::ranges::all_of(instance().state.pending_tokens, is_known);
}

// A join that waited for more tokens waits on: those that have arrived do not come again. Any other
// step is entered by a token of its own.
void Machine::reopen(OpenStep stopped) {
    const auto waiting = std::ranges::find_if(state().activations, [&](const Activation& each) {
        return each.join_sequence == stopped.sequence;
    });
    if (waiting == state().activations.end()) {
        const std::uint32_t first_job = first_job_of(stopped);
        return send(std::move(stopped.step_id), std::move(stopped.activations), first_job);
    }
    const Step* join = definition_.find_step(stopped.step_id);
    MILLRACE_CHECK(join != nullptr);  // retry_instance has looked.
    const std::uint32_t activation = waiting->sequence;
    const std::uint32_t sequence = open(*join, std::move(stopped.activations)).sequence;
    find_activation(activation)->join_sequence = sequence;
}

// The way on, with the variables of now.
void Machine::leave(OpenStep done) {
    const Step* step = definition_.find_step(done.step_id);
    MILLRACE_CHECK(step != nullptr);  // retry_instance has looked.
    Result<std::string> next = choose_next(*step);
    if (next) return go_on(std::move(*next), done.activations);
    const std::uint32_t sequence = done.sequence;
    state().open_steps.push_back(std::move(done));
    fail_instance(sequence, {.failure_reason = next.error().detail});
}

// Timers lose their rows, so none is found due; the state still knows when each is.
void Machine::suspend_instance() {
    state().is_suspended = true;
    for (const OpenStep& step : state().open_steps) {
        for (const OpenTimer& timer : step.timers) {
            effects_.timers_removed.push_back(timer_key(timer));
        }
    }
    pause_pending_start();
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
    resume_pending_start();
    std::vector<PendingToken> pending = std::exchange(state().pending_tokens, {});
    for (auto token = pending.rbegin(); token != pending.rend(); ++token) {
        send(std::move(token->step_id), std::move(token->activations), token->first_job);
    }
}

}  // namespace millrace
