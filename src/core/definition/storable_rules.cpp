#include "core/definition/rules.hpp"

namespace millrace::definition {

namespace {

void check_text(std::string_view text, const std::string& path, const std::string& label,
                Problems& problems) {
    if (text.find('\0') == std::string_view::npos) return;
    problems.add(path, label + " must not contain U+0000");
}

}  // namespace

// Ids, job types, assignees, groups and the names of an executor have no control characters at all:
// the rules of each say so.
void check_storable(const Draft& draft, Problems& problems) {
    check_text(draft.next_workflow_id, "nextWorkflowId", "nextWorkflowId", problems);
    for (std::size_t i = 0; i < draft.steps.size(); ++i) {
        const DraftStep& step = draft.steps[i];
        check_text(step.name, path_of(i) + ".name", label_of(step, i) + ": name", problems);
    }
}

}  // namespace millrace::definition
