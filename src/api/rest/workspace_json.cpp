#include "api/rest/workspace_json.hpp"

#include <chrono>
#include <limits>

#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/json_fields.hpp"
#include "base/json/write.hpp"

namespace millrace::rest {

namespace {

template <class Value>
using Setting = WorkspaceChanges::Setting<Value>;

// What no setting can be is refused here; what this one cannot be, by the command.
std::optional<std::int32_t> small_integer(BodyReader& body, std::string_view name) {
    using Bounds = std::numeric_limits<std::int32_t>;
    const std::optional<std::int64_t> number = body.integer(name);
    if (!number) return std::nullopt;
    if (*number < Bounds::min() || *number > Bounds::max()) {
        body.refuse(name, std::string(name) + " is out of range");
        return std::nullopt;
    }
    return static_cast<std::int32_t>(*number);
}

Setting<std::int32_t> integer_setting(BodyReader& body, std::string_view name) {
    if (body.is_null(name)) return std::optional<std::int32_t>{};
    const std::optional<std::int32_t> number = small_integer(body, name);
    if (!number) return std::nullopt;
    return Setting<std::int32_t>{number};
}

Setting<double> number_setting(BodyReader& body, std::string_view name) {
    if (body.is_null(name)) return std::optional<double>{};
    const std::optional<double> number = body.number(name);
    if (!number) return std::nullopt;
    return Setting<double>{number};
}

// Limits as they hold in the end; what has none is left out.
void append_limits(std::string& out, const Workspace& workspace, const Context& context) {
    const WorkspaceLimits limits = limits_of(workspace, context.plans);
    append_key(out, "limits");
    out += R"({"maxPerKey":)";
    json::append_integer(out, limits.max_per_key);
    append_if_set(out, "maxActive", limits.max_active);
    append_if_set(out, "ratePerSecond", limits.rate_per_second);
    append_integer(out, "maxAttempts",
                   workspace.max_attempts.value_or(context.dispatch_rules.max_attempts));
    append_integer(out, "weight", limits.weight);
    out += '}';
}

void append_counts(std::string& out, const QueueCounts& counts) {
    append_key(out, "places");
    out += R"({"READY":)";
    json::append_integer(out, counts.ready);
    append_integer(out, "PARKED", counts.parked);
    append_integer(out, "DUE", counts.due);
    append_integer(out, "ACTIVE", counts.claimed + counts.dispatched);
    out += '}';
    append_key(out, "queueStatuses");
    out += R"({"PENDING":)";
    json::append_integer(out, counts.ready + counts.parked + counts.due);
    append_integer(out, "CLAIMED", counts.claimed);
    append_integer(out, "DISPATCHED", counts.dispatched);
    out += '}';
    append_flag(out, "countsCapped", counts.is_capped);
}

}  // namespace

void append_workspace(std::string& out, const Workspace& workspace, const Context& context) {
    out += R"({"id":)";
    json::append_string(out, workspace.id.value);
    append_text(out, "name", workspace.name);
    append_text(out, "plan", workspace.plan);
    append_if_set(out, "maxActive", workspace.max_active);
    append_if_set(out, "maxPerKey", workspace.max_per_key);
    append_if_set(out, "ratePerSecond", workspace.rate_per_second);
    append_if_set(out, "maxAttempts", workspace.max_attempts);
    append_integer(out, "weight", workspace.weight);
    append_flag(out, "paused", workspace.is_paused);
    append_limits(out, workspace, context);
    append_instant(out, "createdAt", workspace.created_at);
    append_instant(out, "changedAt", workspace.changed_at);
    out += '}';
}

http::HttpResponse workspace_response(int status, const Workspace& workspace,
                                      const Context& context) {
    std::string body;
    append_workspace(body, workspace, context);
    return json_response(status, std::move(body));
}

http::HttpResponse queue_response(const QueueView& view, const Context& context) {
    using Seconds = std::chrono::duration<double>;
    const QueueOverview& overview = view.overview;
    std::string body = R"({"workspaceId":)";
    json::append_string(body, overview.workspace.id.value);
    append_flag(body, "paused", overview.workspace.is_paused);
    append_limits(body, overview.workspace, context);
    append_integer(body, "active", overview.counts.claimed + overview.counts.dispatched);
    append_counts(body, overview.counts);
    append_integer(body, "deadLetters", view.dead_letters);
    if (const auto oldest = overview.counts.oldest_waiting) {
        append_instant(body, "oldestWaitingSince", *oldest);
        const Duration age = std::max(context.clock.now() - *oldest, Duration::zero());
        append_number(body, "oldestAgeSeconds", Seconds(age).count());
    }
    body += '}';
    return json_response(200, std::move(body));
}

WorkspaceChanges workspace_changes_in(BodyReader& body) {
    WorkspaceChanges changes;
    if (body.value("name") != nullptr) changes.name = body.name("name");
    if (body.value("plan") != nullptr) changes.plan = body.name("plan");
    changes.max_active = integer_setting(body, "maxActive");
    changes.max_per_key = integer_setting(body, "maxPerKey");
    changes.rate_per_second = number_setting(body, "ratePerSecond");
    changes.max_attempts = integer_setting(body, "maxAttempts");
    changes.weight = small_integer(body, "weight");
    if (body.value("paused") != nullptr) changes.is_paused = body.flag("paused");
    return changes;
}

bool changes_limits(const WorkspaceChanges& changes) {
    return changes.plan || changes.max_active || changes.max_per_key || changes.rate_per_second ||
           changes.max_attempts || changes.weight;
}

}  // namespace millrace::rest
