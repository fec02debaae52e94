#include "base/json/write.hpp"
#include "error_reply.hpp"
#include "lists.hpp"
#include "millrace/client/client.hpp"
#include "query.hpp"
#include "transport.hpp"

namespace millrace::client {
namespace {

std::string instance_target(std::string_view id, std::string_view rest = {}) {
    return "/v1/instances/" + percent_encoded(id) + std::string(rest);
}

json::Value body_of(const StartInstance& start) {
    json::Value body = json::Object{};
    body.set("definitionId", start.definition_id);
    if (start.definition_version) body.set("definitionVersion", *start.definition_version);
    body.set("variables", start.variables);
    if (!start.business_key.empty()) body.set("businessKey", start.business_key);
    return body;
}

Result<Instance> start_result(const Document& item) {
    if (item.integer("status") >= 300) return error_of_item(item.json());
    return Instance(item.value("instance"));
}

Result<Instance> as_instance(Result<json::Value> reply) {
    if (!reply) return reply.error();
    return Instance(std::move(*reply));
}

}  // namespace

Result<Instance> Client::start_instance(const StartInstance& start) {
    return as_instance(transport_->call(
        {.method = "POST", .target = "/v1/instances", .body = json::write(body_of(start))}));
}

Result<std::vector<Result<Instance>>> Client::start_instances(
    const std::vector<StartInstance>& starts) {
    json::Array items;
    items.reserve(starts.size());
    for (const StartInstance& start : starts) items.push_back(body_of(start));
    json::Value body = json::Object{};
    body.set("instances", std::move(items));

    Result<json::Value> reply = transport_->call(
        {.method = "POST", .target = "/v1/instances:batch", .body = json::write(body)});
    if (!reply) return reply.error();
    std::vector<Result<Instance>> results;
    results.reserve(starts.size());
    for (const Document& item : items_of<Document>(*reply, "results")) {
        results.push_back(start_result(item));
    }
    return results;
}

Result<Instance> Client::get_instance(std::string_view id) {
    return as_instance(transport_->call({.target = instance_target(id), .repeatable = true}));
}

Result<Page<Instance>> Client::list_instances(const ListInstances& query) {
    const Query parameters = Query()
                                 .add("definitionId", query.definition_id)
                                 .add("status", query.status)
                                 .add("businessKey", query.business_key)
                                 .add("page", std::to_string(query.page))
                                 .add("pageSize", std::to_string(query.page_size));
    Result<json::Value> reply =
        transport_->call({.target = "/v1/instances" + parameters.text(), .repeatable = true});
    if (!reply) return reply.error();
    return page_of<Instance>(std::move(*reply));
}

Result<std::vector<StepExecution>> Client::get_history(std::string_view instance_id) {
    Result<json::Value> reply =
        transport_->call({.target = instance_target(instance_id, "/history"), .repeatable = true});
    if (!reply) return reply.error();
    return items_of<StepExecution>(*reply, "items");
}

Result<Instance> Client::cancel_instance(std::string_view id, std::string_view reason) {
    json::Value body = json::Object{};
    if (!reason.empty()) body.set("reason", reason);
    return as_instance(transport_->call(
        {.method = "POST", .target = instance_target(id, "/cancel"), .body = json::write(body)}));
}

Status Client::signal(std::string_view instance_id, std::string_view step_id,
                      const json::Value& variables) {
    return transport_->command(
        {.method = "POST",
         .target = instance_target(instance_id, "/signals/" + percent_encoded(step_id)),
         .body = json::write(variables)});
}

Status Client::complete_user_task(const CompleteUserTask& task) {
    json::Value body = json::Object{};
    if (!task.worker_id.empty()) body.set("workerId", task.worker_id);
    body.set("variables", task.variables);
    const std::string rest = "/user-tasks/" + percent_encoded(task.step_id) + "/complete";
    return transport_->command({.method = "POST",
                                .target = instance_target(task.instance_id, rest),
                                .body = json::write(body)});
}

}  // namespace millrace::client
