#include "base/json/write.hpp"
#include "instance_target.hpp"
#include "lists.hpp"
#include "millrace/client/client.hpp"
#include "query.hpp"
#include "transport.hpp"

namespace millrace::client {
namespace {

// The server copies its store before it sends the first byte.
constexpr Duration kCopyDuration = std::chrono::minutes(30);

}  // namespace

Result<AuditPage> Client::list_audit(const ListAudit& query) {
    const Query parameters = Query()
                                 .add("kind", query.kinds)
                                 .add("keyId", query.key_id)
                                 .add("instanceId", query.instance_id)
                                 .add("since", query.since)
                                 .add("until", query.until)
                                 .add(query.paging);
    Result<json::Value> reply =
        transport_->call({.target = "/v1/audit" + parameters.text(), .repeatable = true});
    if (!reply) return reply.error();
    const json::Value* enabled = reply->find("enabled");
    const bool is_off = enabled != nullptr && enabled->if_boolean() && !*enabled->if_boolean();
    return AuditPage{page_of<AuditEntry>(std::move(*reply)), !is_off};
}

Result<std::vector<AuditEntry>> Client::get_instance_audit(std::string_view instance_id) {
    Result<json::Value> reply =
        transport_->call({.target = instance_target(instance_id, "/audit"), .repeatable = true});
    if (!reply) return reply.error();
    return items_of<AuditEntry>(*reply, "items");
}

Result<Page<ApiKey>> Client::list_keys(const Paging& paging) {
    const Query parameters = Query().add(paging);
    Result<json::Value> reply =
        transport_->call({.target = "/v1/keys" + parameters.text(), .repeatable = true});
    if (!reply) return reply.error();
    return page_of<ApiKey>(std::move(*reply));
}

Result<ApiKey> Client::create_key(const CreateKey& key) {
    json::Value body = json::Object{};
    body.set("name", key.name);
    body.set("role", key.role);
    if (key.workspace) body.set("workspace", *key.workspace);
    if (key.expires_at) body.set("expiresAt", *key.expires_at);
    // Sent twice it would leave a key that nobody knows.
    Result<json::Value> reply =
        transport_->call({.method = "POST", .target = "/v1/keys", .body = json::write(body)});
    if (!reply) return reply.error();
    return ApiKey(std::move(*reply));
}

Status Client::revoke_key(std::string_view id) {
    return transport_->command(
        {.method = "DELETE", .target = "/v1/keys/" + percent_encoded(id), .repeatable = true});
}

Status Client::download_backup(const Sink& sink) {
    return transport_->command({.method = "POST",
                                .target = "/v1/backup",
                                .accept = "application/vnd.sqlite3, application/json",
                                .extra_duration = kCopyDuration,
                                .sink = sink});
}

}  // namespace millrace::client
