#include "core/definition/rules.hpp"

namespace millrace::definition {

namespace {

// Every step that a step names, whether its type follows the field or not.
std::vector<std::string_view> targets_of(const DraftStep& step) {
    std::vector<std::string_view> targets = step.parallel_next_steps;
    targets.push_back(step.next_step);
    targets.push_back(step.join_step);
    for (const json::Member& branch : step.conditional_next_steps) {
        targets.push_back(*branch.value.if_string());
    }
    for (const DraftBoundaryEvent& event : step.boundary_events) {
        targets.push_back(event.target_step_id);
    }
    return targets;
}

// Which steps can be reached from the first one, itself included.
std::vector<bool> reachable_steps(const Draft& draft) {
    std::vector<bool> reached(draft.steps.size(), false);
    std::vector<std::size_t> open{0};
    reached[0] = true;
    while (!open.empty()) {
        const DraftStep& step = draft.steps[open.back()];
        open.pop_back();
        for (const std::string_view target : targets_of(step)) {
            const auto found = draft.index.find(target);
            if (found == draft.index.end() || reached[found->second]) continue;
            reached[found->second] = true;
            open.push_back(found->second);
        }
    }
    return reached;
}

}  // namespace

void check_graph(const Draft& draft, Problems& problems) {
    if (draft.steps.empty() || draft.steps.front().id.empty()) return;
    const std::vector<bool> reached = reachable_steps(draft);
    bool reaches_end = false;
    for (std::size_t i = 0; i < draft.steps.size(); ++i) {
        const DraftStep& step = draft.steps[i];
        // A second step of the same name, or one without a name, has its own message already.
        if (draft.find_step(step.id) != &step) continue;
        if (reached[i]) {
            reaches_end = reaches_end || step.type == StepType::end;
        } else {
            problems.add(path_of(i), label_of(step, i) + " is unreachable from the first step");
        }
    }
    if (!reaches_end) problems.add("steps", "no END step is reachable from the first step");
}

}  // namespace millrace::definition
