#include "core/instance/advance.hpp"

#include <algorithm>

#include "core/definition/problems.hpp"
#include "core/instance/machine.hpp"

namespace millrace {

namespace {

// For whoever named another step. Many stand at once after a parallel gateway only.
std::string where_it_waits(const Instance& instance) {
    constexpr std::size_t kNamedMax = 5;
    const std::vector<OpenStep>& open = instance.state.open_steps;
    if (open.empty()) return "it is at none";
    std::string text = "it is at ";
    for (std::size_t i = 0; i < std::min(open.size(), kNamedMax); ++i) {
        if (i > 0) text += ", ";
        text +=
            definition::quoted(open[i].step_id) + " (" + std::string(to_string(open[i].type)) + ")";
    }
    if (open.size() > kNamedMax) {
        text += " and " + std::to_string(open.size() - kNamedMax) + " others";
    }
    return text;
}

// Applies one event to a machine. Answers with an error when the event does not fit.
class Applying {
public:
    Applying(const Definition& definition, Machine& machine, Instant now)
        : definition_(definition), machine_(machine), now_(now) {}

    Status operator()(const Started&) {
        // It runs elsewhere, whatever the row of its execution says.
        if (definition_.steps.empty()) {
            return Error{ErrorCode::invalid_argument, "The definition has no steps to run here."};
        }
        machine_.begin();
        return ok();
    }

    Status operator()(const JobCompleted& event) {
        const OpenStep* step = step_of(event.job);
        if (step == nullptr) return no_open_job();
        return complete(step->sequence, event.variables,
                        {.job_status = JobState::completed, .last_try = event.last_try});
    }

    Status operator()(const JobFailed& event) {
        const OpenStep* step = step_of(event.job);
        if (step == nullptr) return no_open_job();
        machine_.fail_instance(step->sequence, {
                                                   .failure_reason = event.last_try.message,
                                                   .job_status = JobState::failed,
                                                   .last_try = event.last_try,
                                               });
        return ok();
    }

    Status operator()(const JobTried& event) {
        OpenStep* step = step_of(event.job);
        if (step == nullptr) return no_open_job();
        machine_.keep_try(*step, event.last_try);
        return ok();
    }

    Status operator()(const UserTaskCompleted& event) {
        const Step* step = definition_.find_step(event.step_id);
        if (step == nullptr) return no_user_task(event.step_id);
        if (step->type != StepType::user_task) return wrong_step_type(*step, StepType::user_task);
        if (auto error = not_running_error()) return *error;
        const OpenStep* opened = event.sequence == 0 ? machine_.find_open(event.step_id)
                                                     : machine_.find_open(event.sequence);
        if (opened == nullptr || opened->step_id != event.step_id) {
            return no_user_task(event.step_id);
        }
        return complete(opened->sequence, event.variables, {.completed_by = event.completed_by});
    }

    Status operator()(const SignalReceived& event) {
        const Step* step = definition_.find_step(event.step_id);
        if (step != nullptr && step->type != StepType::wait) {
            return wrong_step_type(*step, StepType::wait);
        }
        if (auto error = not_running_error()) return *error;
        const OpenStep* opened = machine_.find_open(event.step_id);
        if (opened == nullptr) {
            return Error{ErrorCode::conflict, "the instance does not wait at step " +
                                                  definition::quoted(event.step_id) + ": " +
                                                  where_it_is()};
        }
        return complete(opened->sequence, event.variables, {});
    }

    Status operator()(const TimerFired& event) {
        if (is_terminal(machine_.instance().status)) {
            return Error{ErrorCode::not_found, "The instance of this timer is over."};
        }
        // Its row is gone, and comes back when the instance goes on.
        if (machine_.instance().state.is_suspended) {
            return Error{ErrorCode::not_found, "The instance is suspended."};
        }
        const std::uint32_t number = event.timer.value.sequence();
        const std::optional<PendingStart>& chain = machine_.instance().state.pending_start;
        if (chain && chain->timer == number) return machine_.begin_pending_start(), ok();
        for (const OpenStep& step : machine_.instance().state.open_steps) {
            for (const OpenTimer& timer : step.timers) {
                if (timer.sequence == number) return fire(step, timer);
            }
        }
        return Error{ErrorCode::not_found, "The step of this timer is over."};
    }

    Status operator()(const StepRefused& event) {
        if (auto error = terminal_error()) return *error;
        const auto& chain = machine_.instance().state.pending_start;
        if (chain && chain->timer == event.sequence) {
            machine_.fail_pending_start(event.reason);
            return ok();
        }
        for (const OpenStep& step : machine_.instance().state.open_steps) {
            const bool is_meant = step.sequence + 1 == event.sequence ||
                                  std::ranges::find(step.timers, event.sequence,
                                                    &OpenTimer::sequence) != step.timers.end();
            if (!is_meant) continue;
            std::optional<JobState> job_status;
            if (step.type == StepType::service_task) job_status = JobState::failed;
            machine_.fail_instance(step.sequence,
                                   {.failure_reason = event.reason, .job_status = job_status});
            return ok();
        }
        return Error{ErrorCode::not_found, "The step is over."};
    }

    Status operator()(const CancelRequested& event) {
        if (auto error = terminal_error()) return *error;
        machine_.cancel_instance(event.reason);
        return ok();
    }

    Status operator()(const RetryRequested&) {
        const InstanceStatus status = machine_.instance().status;
        if (status != InstanceStatus::failed) {
            return Error{ErrorCode::conflict,
                         "only a FAILED instance can be retried, this one is " +
                             std::string(to_string(status))};
        }
        return machine_.retry_instance();
    }

    Status operator()(const SuspendRequested&) {
        if (auto error = terminal_error()) return *error;
        if (!machine_.instance().state.is_suspended) machine_.suspend_instance();
        return ok();
    }

    Status operator()(const ResumeRequested&) {
        if (auto error = terminal_error()) return *error;
        if (machine_.instance().state.is_suspended) machine_.resume_instance();
        return ok();
    }

    // A failed instance may be retried, with other variables than those that it failed on.
    Status operator()(const VariablesChanged& event) {
        const Instance& instance = machine_.instance();
        if (instance.status != InstanceStatus::failed) {
            if (auto error = terminal_error()) return *error;
        }
        const std::int64_t version = instance.state.variables_version;
        if (event.expected_version && *event.expected_version != version) {
            return Error{ErrorCode::conflict, "the variables have version " +
                                                  std::to_string(version) + ", not " +
                                                  std::to_string(*event.expected_version)};
        }
        return machine_.change_variables(event.changes, event.removed);
    }

private:
    // What is open in an instance that is over stands there for the reader only.
    OpenStep* step_of(JobId job) {
        if (is_terminal(machine_.instance().status)) return nullptr;
        OpenStep* step = machine_.find_open(step_execution_of(job).value.sequence());
        return step != nullptr && step->type == StepType::service_task ? step : nullptr;
    }

    // Too much is for the caller to mend. Stored variables that cannot be read are not: their
    // instance fails, and what was reported is over.
    Status complete(std::uint32_t sequence, const json::Value& variables,
                    Machine::Closing closing) {
        const Status merged = machine_.merge_variables(variables, sequence);
        if (merged) {
            machine_.complete_step(sequence, std::move(closing));
            return ok();
        }
        if (merged.error().code != ErrorCode::internal) return merged;
        closing.failure_reason = merged.error().detail;
        machine_.fail_instance(sequence, std::move(closing));
        return ok();
    }

    Status fire(const OpenStep& step, const OpenTimer& timer) {
        if (now_ < timer.fire_at) return Error{ErrorCode::conflict, "The timer is not due."};
        const Step* definition = definition_.find_step(step.step_id);
        if (definition == nullptr || timer.boundary_timer >= definition->boundary_timers.size()) {
            machine_.fail_unfit(step.sequence, "its definition has no such timer");
            return ok();
        }
        const BoundaryTimer& boundary = definition->boundary_timers[timer.boundary_timer];
        if (!boundary.interrupting) {
            machine_.spend_timer(step.sequence, timer.sequence);
            machine_.send(boundary.target_step_id, step.activations);
            return ok();
        }
        machine_.interrupt_step(step.sequence,
                                {
                                    .status = StepExecutionStatus::failed,
                                    .failure_reason = "interrupted by boundary timer",
                                },
                                boundary.target_step_id);
        return ok();
    }

    std::optional<Error> terminal_error() const {
        if (!is_terminal(machine_.instance().status)) return std::nullopt;
        return Error{ErrorCode::conflict, "instance is in a terminal state (" +
                                              std::string(to_string(machine_.instance().status)) +
                                              ")"};
    }

    std::optional<Error> not_running_error() const {
        if (auto error = terminal_error()) return error;
        if (!machine_.instance().state.is_suspended) return std::nullopt;
        return Error{ErrorCode::conflict, "the instance is suspended; resume it first"};
    }

    static Error no_open_job() { return {ErrorCode::conflict, "The step of this job is over."}; }

    static Error wrong_step_type(const Step& step, StepType expected) {
        return {ErrorCode::invalid_argument,
                "step type does not match the endpoint",
                {{"stepId", "step " + definition::quoted(step.id) + " is a " +
                                std::string(to_string(step.type)) + ", not a " +
                                std::string(to_string(expected))}}};
    }

    Error no_user_task(std::string_view step_id) const {
        return {ErrorCode::not_found,
                "user task not found",
                {{"stepId", "there is no open user task at step " + definition::quoted(step_id) +
                                ": " + where_it_is()}}};
    }

    std::string where_it_is() const { return where_it_waits(machine_.instance()); }

    const Definition& definition_;
    Machine& machine_;
    const Instant now_;
};

}  // namespace

Result<InstanceEffects> advance(const Definition& definition, Instance instance, const Event& event,
                                Instant now, WorkMeter& meter, std::int32_t automatic_steps) {
    Machine machine(definition, std::move(instance), now, meter, automatic_steps);
    const Status applied = std::visit(Applying(definition, machine, now), event);
    if (!applied) return applied.error();
    machine.run();
    return machine.take_effects();
}

Result<InstanceEffects> advance(const Definition& definition, Instance instance, const Event& event,
                                Instant now) {
    WorkMeter meter;
    return advance(definition, std::move(instance), event, now, meter);
}

}  // namespace millrace
