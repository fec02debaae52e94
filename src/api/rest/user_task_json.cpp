#include "api/rest/user_task_json.hpp"

#include "api/rest/json_fields.hpp"
#include "api/rest/wire_json.hpp"
#include "base/json/write.hpp"

namespace millrace::rest {

namespace {

void append_members(std::string& out, const UserTask& task) {
    append_id(out, task.key.id.value);
    append_id(out, "instanceId", instance_of(task.key.id).value);
    append_text(out, "definitionId", task.definition_id);
    append_integer(out, "definitionVersion", task.definition_version);
    append_text(out, "stepId", task.step_id);
    append_id(out, "stepExecutionId", step_execution_of(task.key.id).value);
    append_text(out, "name", task.name);
    append_text(out, "status", to_string(task.status));
    if (!task.assignee.empty()) append_text(out, "assignee", task.assignee);
    out += R"(,"candidateGroups":[)";
    for (const std::string& group : task.candidate_groups) {
        if (out.back() != '[') out += ',';
        json::append_string(out, group);
    }
    out += ']';
    append_instant(out, "createdAt", task.created_at);
    if (task.claimed_at) append_instant(out, "claimedAt", *task.claimed_at);
    if (task.ended_at) append_instant(out, "completedAt", *task.ended_at);
    if (!task.completed_by.empty()) append_text(out, "completedBy", task.completed_by);
}

}  // namespace

void append_user_task(std::string& out, const UserTask& task) {
    out += R"({"id":)";
    append_members(out, task);
    out += '}';
}

void append_user_task_view(std::string& out, const UserTaskView& view) {
    out += R"({"id":)";
    append_members(out, view.task);
    if (!view.form.is_null()) {
        append_key(out, "form");
        json::append(out, view.form);
    }
    append_key(out, "variables");
    out += view.variables.text();
    out += '}';
}

}  // namespace millrace::rest
