#include "base/json/write.hpp"
#include "idempotency.hpp"
#include "instance_target.hpp"
#include "lists.hpp"
#include "millrace/client/client.hpp"
#include "query.hpp"
#include "transport.hpp"

namespace millrace::client {
namespace {

std::string task_target(std::string_view id, std::string_view rest = {}) {
    return "/v1/user-tasks/" + percent_encoded(id) + std::string(rest);
}

std::string completion_target(const CompleteUserTask& task) {
    if (!task.task_id.empty()) return task_target(task.task_id, "/complete");
    return instance_target(task.instance_id,
                           "/user-tasks/" + percent_encoded(task.step_id) + "/complete");
}

// These say what shall be, so saying it twice does no harm.
Request task_request(std::string_view id, std::string_view verb, std::string_view name,
                     std::string_view value) {
    json::Value body = json::Object{};
    if (!value.empty()) body.set(name, value);
    return {.method = "POST",
            .target = task_target(id, verb),
            .body = json::write(body),
            .repeatable = true};
}

Result<UserTask> as_task(Result<json::Value> reply) {
    if (!reply) return reply.error();
    return UserTask(std::move(*reply));
}

}  // namespace

Result<Page<UserTask>> Client::list_user_tasks(const ListUserTasks& query) {
    const Query parameters = Query()
                                 .add("status", query.status)
                                 .add("instanceId", query.instance_id)
                                 .add("definitionId", query.definition_id)
                                 .add("stepId", query.step_id)
                                 .add("assignee", query.assignee)
                                 .add("group", query.group)
                                 .add("unassigned", query.unassigned ? "true" : "")
                                 .add(query.paging);
    Result<json::Value> reply =
        transport_->call({.target = "/v1/user-tasks" + parameters.text(), .repeatable = true});
    if (!reply) return reply.error();
    return page_of<UserTask>(std::move(*reply));
}

Result<UserTask> Client::get_user_task(std::string_view id) {
    return as_task(transport_->call({.target = task_target(id), .repeatable = true}));
}

Result<UserTask> Client::claim_user_task(std::string_view id, std::string_view user_id) {
    return as_task(transport_->call(task_request(id, "/claim", "userId", user_id)));
}

Result<UserTask> Client::unclaim_user_task(std::string_view id, std::string_view user_id) {
    return as_task(transport_->call(task_request(id, "/unclaim", "userId", user_id)));
}

Result<UserTask> Client::assign_user_task(std::string_view id, std::string_view assignee) {
    return as_task(transport_->call(task_request(id, "/assign", "assignee", assignee)));
}

Status Client::complete_user_task(const CompleteUserTask& task) {
    json::Value body = json::Object{};
    const std::string_view user = task.task_id.empty() ? "workerId" : "userId";
    if (!task.user_id.empty()) body.set(user, task.user_id);
    body.set("variables", task.variables);
    return transport_->command(with_idempotency_key(
        {.method = "POST", .target = completion_target(task), .body = json::write(body)},
        task.idempotency_key));
}

}  // namespace millrace::client
