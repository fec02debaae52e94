#include "core/instance/machine.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "core/limits.hpp"

namespace millrace {

Machine::Machine(const Definition& definition, Instance instance, Instant now,
                 std::int32_t automatic_steps)
    : definition_(definition), now_(now) {
    effects_.instance = std::move(instance);
    effects_.automatic_steps = automatic_steps;
}

OpenStep* Machine::find_open(std::uint32_t sequence) {
    const auto found = std::ranges::find(state().open_steps, sequence, &OpenStep::sequence);
    return found == state().open_steps.end() ? nullptr : &*found;
}

OpenStep* Machine::find_open(std::string_view step_id) {
    const auto found = std::ranges::find(state().open_steps, step_id, &OpenStep::step_id);
    return found == state().open_steps.end() ? nullptr : &*found;
}

Result<const json::Value*> Machine::variables() {
    if (!variables_) {
        Result<json::Value> value = instance().variables.value();
        if (!value) return value.error();
        variables_ = std::move(*value);
    }
    return &*variables_;
}

Status Machine::merge_variables(const json::Value& changes, std::uint32_t by_sequence) {
    Result<Variables> merged = instance().variables.merged(changes);
    if (!merged) return merged.error();
    replace_variables(std::move(*merged), by_sequence);
    return ok();
}

void Machine::replace_variables(Variables variables, std::uint32_t by_sequence) {
    if (variables == instance().variables) return;
    store_job_variables(by_sequence);
    mutable_instance().variables = std::move(variables);
    state().variables_version += 1;
    variables_.reset();
}

// A job shows the variables at its creation. As long as they do not change, it borrows the
// instance's; before they do, the open jobs get a copy of their own. An instance that is over has
// no jobs, whatever it shows as open.
void Machine::store_job_variables(std::uint32_t except_sequence) {
    if (is_terminal(instance().status)) return;
    for (OpenStep& step : state().open_steps) {
        const bool has_job = step.type == StepType::service_task;
        if (!has_job || step.job_has_variables || step.sequence == except_sequence) continue;
        step.job_has_variables = true;
        const StepExecutionId id{instance().key.id.value.with_sequence(step.sequence)};
        const JobKey key{job_of(id), instance().key.workspace_id};
        const auto fresh = std::ranges::find(effects_.jobs, key, &Job::key);
        if (fresh != effects_.jobs.end()) {
            fresh->variables = instance().variables;
        } else {
            effects_.job_variables.push_back({key, instance().variables});
        }
    }
}

void Machine::send(std::string step_id, std::vector<std::uint32_t> activations,
                   std::uint32_t first_job) {
    tokens_.push_back({std::move(step_id), std::move(activations), first_job});
}

Result<std::string> Machine::choose_next(const Step& step) {
    if (step.conditional_next_steps.empty()) return step.next_step;
    const Result<const json::Value*> known = variables();
    if (!known) return known.error();
    for (const ConditionalStep& branch : step.conditional_next_steps) {
        const Result<bool> holds = branch.condition.decide(**known, now_);
        if (!holds) {
            return Error{ErrorCode::invalid_argument, "expression eval error: expression \"" +
                                                          branch.condition.text() +
                                                          "\": " + holds.error().detail};
        }
        if (*holds) return branch.target_step_id;
    }
    return Error{ErrorCode::invalid_argument,
                 "no conditionalNextSteps branch matched (DecisionNoBranchMatched)"};
}

void Machine::complete_step(std::uint32_t sequence, Closing closing) {
    OpenStep* opened = find_open(sequence);
    if (opened == nullptr) return fail_unfit(0, "a join that waits is not among the open steps");
    const Step* step = definition_.find_step(opened->step_id);
    if (step == nullptr) return fail_unfit(sequence, kNoSuchStep);

    Result<std::string> next = choose_next(*step);
    if (!next && step->type == StepType::decision) {
        closing.failure_reason = next.error().detail;
        return fail_instance(sequence, std::move(closing));
    }
    close(*opened, std::move(closing));
    if (!next) {
        opened->is_done = true;
        return fail_instance(sequence, {.failure_reason = next.error().detail});
    }
    const std::vector<std::uint32_t> activations = opened->activations;
    remove_open(sequence);
    go_on(std::move(*next), activations);
}

void Machine::go_on(std::string next_step_id, const std::vector<std::uint32_t>& activations) {
    if (next_step_id.empty()) {
        end_token(activations);
    } else {
        send(std::move(next_step_id), activations);
    }
}

void Machine::interrupt_step(std::uint32_t sequence, Closing closing, std::string target_step_id) {
    OpenStep* opened = find_open(sequence);
    MILLRACE_CHECK(opened != nullptr);  // The caller has it from there.
    std::vector<std::uint32_t> activations = opened->activations;
    close(*opened, std::move(closing));
    remove_open(sequence);
    send(std::move(target_step_id), std::move(activations));
}

void Machine::run() {
    if (state().is_suspended) return keep_tokens();
    while (!tokens_.empty() && !is_terminal(instance().status)) {
        Token token = std::move(tokens_.back());
        tokens_.pop_back();
        enter(std::move(token));
    }
    if (is_terminal(instance().status)) return;
    if (state().open_steps.empty()) return complete_instance();
    update_status();
}

}  // namespace millrace
