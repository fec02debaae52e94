#include "base/json/write.hpp"
#include "error_reply.hpp"
#include "execution_filter.hpp"
#include "idempotency.hpp"
#include "lists.hpp"
#include "millrace/client/client.hpp"
#include "transport.hpp"
#include "workspace_target.hpp"

namespace millrace::client {
namespace {

std::string execution_target(std::string_view id, std::string_view rest = {}) {
    return "/v1/executions/" + percent_encoded(id) + std::string(rest);
}

json::Value body_of(const Enqueue& enqueue) {
    json::Value body = json::Object{};
    body.set("definitionId", enqueue.definition_id);
    if (enqueue.definition_version) body.set("definitionVersion", *enqueue.definition_version);
    body.set("input", enqueue.input);
    if (enqueue.priority) body.set("priority", *enqueue.priority);
    if (!enqueue.not_before.empty()) body.set("notBefore", enqueue.not_before);
    if (!enqueue.deadline.empty()) body.set("deadline", enqueue.deadline);
    if (!enqueue.concurrency_key.empty()) body.set("concurrencyKey", enqueue.concurrency_key);
    return body;
}

json::Value body_of(const CompleteExecution& completion) {
    json::Value body = json::Object{};
    body.set("status", completion.status);
    if (completion.result) body.set("result", *completion.result);
    if (!completion.reason.empty() || !completion.message.empty()) {
        json::Value error = json::Object{};
        if (!completion.reason.empty()) error.set("reason", completion.reason);
        if (!completion.message.empty()) error.set("message", completion.message);
        body.set("error", std::move(error));
    }
    if (!completion.run_id.empty()) body.set("runId", completion.run_id);
    return body;
}

Result<Execution> as_execution(Result<json::Value> reply) {
    if (!reply) return reply.error();
    return Execution(std::move(*reply));
}

Result<Execution> enqueue_result(const Document& item) {
    if (item.integer("status") >= 300) return error_of_item(item.json());
    return Execution(item.value("execution"));
}

}  // namespace

Result<Execution> Client::enqueue(std::string_view workspace, const Enqueue& enqueue) {
    return as_execution(
        transport_->call(with_idempotency_key({.method = "POST",
                                               .target = workspace_target(workspace, "/executions"),
                                               .body = json::write(body_of(enqueue))},
                                              enqueue.idempotency_key)));
}

Result<std::vector<Result<Execution>>> Client::enqueue_all(std::string_view workspace,
                                                           json::Array items) {
    for (json::Value& item : items) {
        const bool has_key = item.find("idempotencyKey") != nullptr;
        if (item.is_object() && !has_key) item.set("idempotencyKey", fresh_idempotency_key());
    }
    const std::size_t count = items.size();
    json::Value body = json::Object{};
    body.set("executions", std::move(items));

    Result<json::Value> reply =
        transport_->call({.method = "POST",
                          .target = workspace_target(workspace, "/executions:batch"),
                          .body = json::write(body),
                          .repeatable = true});
    if (!reply) return reply.error();
    std::vector<Result<Execution>> results;
    results.reserve(count);
    for (const Document& item : items_of<Document>(*reply, "results")) {
        results.push_back(enqueue_result(item));
    }
    return results;
}

Result<Page<Execution>> Client::list_executions(std::string_view workspace,
                                                const ListExecutions& query) {
    Result<json::Value> reply = transport_->call(
        {.target = workspace_target(workspace, "/executions" + query_of(query).text()),
         .repeatable = true});
    if (!reply) return reply.error();
    return page_of<Execution>(std::move(*reply));
}

Result<Execution> Client::get_execution(std::string_view id) {
    return as_execution(transport_->call({.target = execution_target(id), .repeatable = true}));
}

Result<Execution> Client::cancel_execution(const CancelExecution& cancel) {
    json::Value body = json::Object{};
    if (!cancel.reason.empty()) body.set("reason", cancel.reason);
    if (cancel.force) body.set("force", true);
    // One that is cancelled already answers the same.
    return as_execution(transport_->call({.method = "POST",
                                          .target = execution_target(cancel.id, "/cancel"),
                                          .body = json::write(body),
                                          .repeatable = true}));
}

Result<Execution> Client::retry_execution(const RetryExecution& retry) {
    json::Value body = json::Object{};
    if (retry.resume) body.set("resume", true);
    return as_execution(
        transport_->call(with_idempotency_key({.method = "POST",
                                               .target = execution_target(retry.id, "/retry"),
                                               .body = json::write(body)},
                                              retry.idempotency_key)));
}

Result<Execution> Client::complete_execution(const CompleteExecution& completion) {
    return as_execution(transport_->call({.method = "POST",
                                          .target = execution_target(completion.id, "/completion"),
                                          .body = json::write(body_of(completion)),
                                          .repeatable = true}));
}

}  // namespace millrace::client
