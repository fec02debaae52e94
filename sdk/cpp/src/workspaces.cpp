#include "base/json/write.hpp"
#include "lists.hpp"
#include "millrace/client/client.hpp"
#include "query.hpp"
#include "transport.hpp"
#include "workspace_target.hpp"

namespace millrace::client {
namespace {

// All that is open in a workspace may have to be cancelled, or taken over.
constexpr Duration kManyDuration = std::chrono::minutes(2);

json::Value body_of(const WorkspaceSettings& settings) {
    json::Value body = json::Object{};
    if (!settings.name.empty()) body.set("name", settings.name);
    if (!settings.plan.empty()) body.set("plan", settings.plan);
    if (settings.max_active) body.set("maxActive", *settings.max_active);
    if (settings.max_per_key) body.set("maxPerKey", *settings.max_per_key);
    if (settings.rate_per_second) body.set("ratePerSecond", *settings.rate_per_second);
    if (settings.max_attempts) body.set("maxAttempts", *settings.max_attempts);
    if (settings.weight) body.set("weight", *settings.weight);
    if (settings.paused) body.set("paused", *settings.paused);
    for (const std::string& name : settings.unset) body.set(name, nullptr);
    return body;
}

Result<Workspace> as_workspace(Result<json::Value> reply) {
    if (!reply) return reply.error();
    return Workspace(std::move(*reply));
}

}  // namespace

Result<Page<Workspace>> Client::list_workspaces(const Paging& paging) {
    Result<json::Value> reply = transport_->call(
        {.target = "/v1/workspaces" + Query().add(paging).text(), .repeatable = true});
    if (!reply) return reply.error();
    return page_of<Workspace>(std::move(*reply));
}

Result<Workspace> Client::get_workspace(std::string_view id) {
    return as_workspace(transport_->call({.target = workspace_target(id), .repeatable = true}));
}

Result<Workspace> Client::create_workspace(std::string_view id, const WorkspaceSettings& settings) {
    json::Value body = json::Object{};
    body.set("id", id);
    const json::Value rest = body_of(settings);
    for (const json::Member& member : *rest.if_object()) body.set(member.key, member.value);
    return as_workspace(transport_->call(
        {.method = "POST", .target = "/v1/workspaces", .body = json::write(body)}));
}

Result<Workspace> Client::change_workspace(std::string_view id, const WorkspaceSettings& change) {
    return as_workspace(transport_->call({.method = "PATCH",
                                          .target = workspace_target(id),
                                          .body = json::write(body_of(change)),
                                          .repeatable = true}));
}

Status Client::delete_workspace(std::string_view id, bool force) {
    return transport_->command({.method = "DELETE",
                                .target = workspace_target(id, force ? "?force=true" : ""),
                                .extra_duration = force ? kManyDuration : Duration{}});
}

Result<Queue> Client::get_queue(std::string_view workspace) {
    Result<json::Value> reply =
        transport_->call({.target = workspace_target(workspace, "/queue"), .repeatable = true});
    if (!reply) return reply.error();
    return Queue(std::move(*reply));
}

Result<std::int64_t> Client::recover_executions(std::string_view workspace, Duration older_than) {
    json::Value body = json::Object{};
    body.set("olderThanSeconds", std::chrono::duration<double>(older_than).count());
    Result<json::Value> reply =
        transport_->call({.method = "POST",
                          .target = workspace_target(workspace, "/queue/recover"),
                          .body = json::write(body),
                          .extra_duration = kManyDuration});
    if (!reply) return reply.error();
    return Document(std::move(*reply)).integer("recovered");
}

}  // namespace millrace::client
