#include "base/json/write.hpp"
#include "error_reply.hpp"
#include "idempotency.hpp"
#include "instance_filter.hpp"
#include "instance_target.hpp"
#include "lists.hpp"
#include "millrace/client/client.hpp"
#include "transport.hpp"

namespace millrace::client {
namespace {

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

json::Value body_with_reason(std::string_view reason) {
    json::Value body = json::Object{};
    if (!reason.empty()) body.set("reason", reason);
    return body;
}

}  // namespace

Result<Instance> Client::start_instance(const StartInstance& start) {
    return as_instance(transport_->call(with_idempotency_key(
        {.method = "POST", .target = "/v1/instances", .body = json::write(body_of(start))},
        start.idempotency_key)));
}

Result<std::vector<Result<Instance>>> Client::start_instances(
    const std::vector<StartInstance>& starts) {
    json::Array items;
    items.reserve(starts.size());
    for (const StartInstance& start : starts) {
        const std::string& key = start.idempotency_key;
        json::Value item = body_of(start);
        item.set("idempotencyKey", key.empty() ? fresh_idempotency_key() : key);
        items.push_back(std::move(item));
    }
    json::Value body = json::Object{};
    body.set("instances", std::move(items));

    Result<json::Value> reply = transport_->call({.method = "POST",
                                                  .target = "/v1/instances:batch",
                                                  .body = json::write(body),
                                                  .repeatable = true});
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
    const Query parameters = query_of(query.filter).add(query.paging);
    Result<json::Value> reply =
        transport_->call({.target = "/v1/instances" + parameters.text(), .repeatable = true});
    if (!reply) return reply.error();
    return page_of<Instance>(std::move(*reply));
}

Result<std::vector<StepExecution>> Client::get_history(std::string_view instance_id) {
    std::vector<StepExecution> history;
    const std::string target = instance_target(instance_id, "/history");
    for (std::string cursor;;) {
        const std::string query = cursor.empty() ? "" : "?cursor=" + cursor;
        Result<json::Value> reply =
            transport_->call({.target = target + query, .repeatable = true});
        if (!reply) return reply.error();
        for (StepExecution& line : items_of<StepExecution>(*reply, "items")) {
            history.push_back(std::move(line));
        }
        const json::Value* next = reply->find("nextCursor");
        // A server that does not come further would be asked for ever.
        const bool goes_on =
            next != nullptr && next->if_string() != nullptr && *next->if_string() != cursor;
        if (!goes_on) return history;
        cursor = *next->if_string();
    }
}

Result<Instance> Client::cancel_instance(std::string_view id, std::string_view reason) {
    return as_instance(transport_->call({.method = "POST",
                                         .target = instance_target(id, "/cancel"),
                                         .body = json::write(body_with_reason(reason))}));
}

Result<CancelReport> Client::cancel_instances(const CancelInstances& cancel) {
    json::Value body = json::Object{};
    body.set("filter", json_of(cancel.filter));
    if (!cancel.reason.empty()) body.set("reason", cancel.reason);
    body.set("dryRun", cancel.dry_run);
    if (cancel.limit) body.set("limit", *cancel.limit);
    // Cancelling takes as long as there are instances; what is cancelled does not match again.
    Result<json::Value> reply = transport_->call({.method = "POST",
                                                  .target = "/v1/instances:cancel",
                                                  .body = json::write(body),
                                                  .repeatable = cancel.dry_run,
                                                  .extra_duration = std::chrono::minutes(2)});
    if (!reply) return reply.error();
    return CancelReport(std::move(*reply));
}

Result<Instance> Client::retry_instance(std::string_view id) {
    return as_instance(transport_->call(
        {.method = "POST", .target = instance_target(id, "/retry"), .body = "{}"}));
}

Result<Instance> Client::suspend_instance(std::string_view id, std::string_view reason) {
    return as_instance(transport_->call({.method = "POST",
                                         .target = instance_target(id, "/suspend"),
                                         .body = json::write(body_with_reason(reason)),
                                         .repeatable = true}));
}

Result<Instance> Client::resume_instance(std::string_view id) {
    return as_instance(transport_->call({.method = "POST",
                                         .target = instance_target(id, "/resume"),
                                         .body = "{}",
                                         .repeatable = true}));
}

Result<Instance> Client::set_variables(const SetVariables& change) {
    json::Value body = json::Object{};
    if (change.variables != json::Value(json::Object{})) body.set("variables", change.variables);
    if (!change.remove.empty()) {
        json::Array names;
        for (const std::string& name : change.remove) names.emplace_back(name);
        body.set("remove", std::move(names));
    }
    if (change.expected_version) body.set("expectedVersion", *change.expected_version);
    return as_instance(
        transport_->call({.method = "PATCH",
                          .target = instance_target(change.instance_id, "/variables"),
                          .body = json::write(body),
                          // Setting twice is setting once, unless it is the version that counts.
                          .repeatable = !change.expected_version}));
}

Status Client::signal(const SendSignal& signal) {
    return transport_->command(with_idempotency_key(
        {.method = "POST",
         .target =
             instance_target(signal.instance_id, "/signals/" + percent_encoded(signal.step_id)),
         .body = json::write(signal.variables)},
        signal.idempotency_key));
}

}  // namespace millrace::client
