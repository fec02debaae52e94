#include "core/instance/machine.hpp"

#include <algorithm>

#include "core/instance/chaining.hpp"
#include "core/limits.hpp"

namespace millrace {

Machine::Machine(const Definition& definition, Instance instance, Instant now, WorkMeter& meter,
                 std::int32_t automatic_steps)
    : definition_(definition), now_(now), meter_(meter) {
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

void Machine::begin() {
    if (definition_.steps.empty()) return fail_unfit(0, "its definition has no steps to run here");
    send(definition_.steps.front().id, {});
}

void Machine::send(std::string step_id, std::vector<std::uint32_t> activations,
                   std::uint32_t first_job) {
    tokens_.push_back({std::move(step_id), std::move(activations), first_job});
}

Result<std::string> Machine::choose_next(const Step& step) {
    if (step.conditional_next_steps.empty()) return step.next_step;
    const Result<OpenVariables*> variables = open_variables();
    if (!variables) return variables.error();
    for (const ConditionalStep& branch : step.conditional_next_steps) {
        const Result<bool> holds = branch.condition.decide((*variables)->members(), now_, meter_);
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
    if (is_terminal(instance().status) || state().pending_start) return;
    if (state().open_steps.empty()) return complete_instance();
    if (writes_too_much()) {
        return fail_instance(state().open_steps.front().sequence,
                             {.failure_reason = "its open jobs would keep more than " +
                                                std::to_string(limits::kCommandBytesMax) +
                                                " bytes of variables (WriteLimitReached)"});
    }
    update_status();
}

bool Machine::writes_too_much() const {
    return write_size(effects_).bytes > limits::kCommandBytesMax;
}

InstanceEffects Machine::take_effects() {
    write_variables();
    return std::move(effects_);
}

}  // namespace millrace
