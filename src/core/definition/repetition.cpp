#include "core/definition/repetition.hpp"

#include <algorithm>
#include <vector>

namespace millrace::definition {

namespace {

bool makes_second_token(const Step& step) {
    const auto goes_on_beside = [](const BoundaryTimer& timer) {
        return !timer.interrupting;
    };
    return step.type == StepType::parallel_gateway ||
           std::ranges::any_of(step.boundary_timers, goes_on_beside);
}

std::vector<std::size_t> successors_of(const Definition& definition, const Step& step) {
    std::vector<std::size_t> out;
    const auto add = [&](std::string_view target) {
        const auto found = definition.index.find(target);
        if (found != definition.index.end()) out.push_back(found->second);
    };
    add(step.next_step);
    for (const ConditionalStep& branch : step.conditional_next_steps) add(branch.target_step_id);
    for (const BoundaryTimer& timer : step.boundary_timers) add(timer.target_step_id);
    return out;
}

// Takes away steps that nothing leads to, again and again: what is left has a cycle.
bool has_cycle(const Definition& definition) {
    std::vector<std::vector<std::size_t>> successors;
    std::vector<int> predecessors(definition.steps.size(), 0);
    for (const Step& step : definition.steps) {
        successors.push_back(successors_of(definition, step));
        for (const std::size_t next : successors.back()) ++predecessors[next];
    }
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < predecessors.size(); ++i) {
        if (predecessors[i] == 0) free.push_back(i);
    }
    std::size_t taken = 0;
    for (; !free.empty(); ++taken) {
        const std::size_t step = free.back();
        free.pop_back();
        for (const std::size_t next : successors[step]) {
            if (--predecessors[next] == 0) free.push_back(next);
        }
    }
    return taken < definition.steps.size();
}

}  // namespace

bool steps_may_repeat(const Definition& definition) {
    return std::ranges::any_of(definition.steps, makes_second_token) || has_cycle(definition);
}

}  // namespace millrace::definition
