#include <algorithm>

#include "core/definition/rules.hpp"
#include "core/limits.hpp"

namespace millrace::definition {

namespace {

bool is_id_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':' || c == '-';
}

void check_id(std::string_view id, Problems& problems) {
    if (id.empty()) {
        problems.add("id", "id is required");
        return;
    }
    if (id.size() > limits::kNameBytesMax) {
        problems.add("id", "id must be \u2264 " + std::to_string(limits::kNameBytesMax) +
                               " characters, got " + std::to_string(id.size()));
    }
    if (!std::ranges::all_of(id, is_id_character)) {
        problems.add("id", "id " + quoted(id) + " must match ^[A-Za-z0-9_:\\-]+$");
    }
}

void check_name(std::string_view name, Problems& problems) {
    if (name.empty()) problems.add("name", "name is required");
    if (name.find('\0') != name.npos) problems.add("name", "name must not contain U+0000");
}

void check_next_workflow(const Draft& draft, Problems& problems) {
    const std::string_view id = draft.next_workflow_id;
    if (draft.auto_start_next_workflow && id.empty()) {
        problems.add("nextWorkflowId",
                     "nextWorkflowId is required when autoStartNextWorkflow is true");
    }
    if (id.size() > limits::kNameBytesMax) {
        problems.add("nextWorkflowId", "nextWorkflowId must be \u2264 " +
                                           std::to_string(limits::kNameBytesMax) +
                                           " characters, got " + std::to_string(id.size()));
    }
}

}  // namespace

void check_root(const Draft& draft, Problems& problems) {
    check_id(draft.id, problems);
    check_name(draft.name, problems);
    check_executor(draft, problems);
    if (draft.steps.empty() && !draft.is_remote()) {
        problems.add("steps", "steps must not be empty");
        return;
    }
    if (draft.steps.size() > limits::kStepsMax) {
        problems.add("steps", "steps must be \u2264 " + std::to_string(limits::kStepsMax) +
                                  ", got " + std::to_string(draft.steps.size()));
    }
    check_next_workflow(draft, problems);
}

}  // namespace millrace::definition
