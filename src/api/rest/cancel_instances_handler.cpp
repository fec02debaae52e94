#include <algorithm>

#include "api/http/error_response.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/instance_filter.hpp"
#include "api/rest/json_fields.hpp"
#include "api/rest/message_text.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/cancel_instances.hpp"

namespace millrace::rest {

namespace {

// A filter as JSON says the same as one in a query: numbers and flags as they are, lists of texts
// with commas between.
std::optional<std::string> text_of(const json::Value* value) {
    if (value == nullptr || value->is_null()) return std::nullopt;
    if (const std::string* text = value->if_string()) return *text;
    if (const json::Array* array = value->if_array()) {
        std::string list;
        for (const json::Value& each : *array) {
            if (!list.empty()) list += ',';
            list += each.if_string() != nullptr ? *each.if_string() : json::write(each);
        }
        return list;
    }
    return json::write(*value);
}

// A filter that is misspelt would cancel more than was meant.
void refuse_unknown_filters(BodyReader& body, const json::Value& filter) {
    const json::Object* members = filter.if_object();
    if (members == nullptr) return;
    for (const json::Member& member : *members) {
        if (std::ranges::find(kInstanceFilterNames, member.key) != kInstanceFilterNames.end()) {
            continue;
        }
        body.refuse("filter." + member.key, "filter has no field \"" + member.key + "\"");
    }
}

// Only what is not over can be cancelled.
void keep_running(ParsedFilter& parsed) {
    auto& statuses = parsed.filter.statuses;
    if (statuses.empty()) {
        statuses = {InstanceStatus::active, InstanceStatus::waiting};
        return;
    }
    std::erase_if(statuses, is_terminal);
    parsed.is_impossible = parsed.is_impossible || statuses.empty();
}

struct Call {
    CancelInstances request{};
    bool is_impossible = false;
};

Result<Call> parse(const http::HttpRequest& http_request) {
    const Result<WorkspaceId> workspace_id = workspace_of(http_request);
    if (!workspace_id) return workspace_id.error();
    const Result<json::Value> object = parse_object(http_request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    const json::Value filter = body.object("filter");
    CancelInstances request{.reason = message_text(body.text("reason"))};
    request.is_dry_run = body.flag("dryRun");
    request.count_max = body.integer("limit").value_or(limits::kBulkInstancesDefault);
    if (request.count_max < 1 || request.count_max > limits::kBulkInstancesMax) {
        body.refuse("limit",
                    "limit must be between 1 and " + std::to_string(limits::kBulkInstancesMax));
    }
    refuse_unknown_filters(body, filter);
    if (body.has_error()) return body.error();

    const auto value = [&filter](std::string_view name) {
        return text_of(filter.is_object() ? filter.find(name) : nullptr);
    };
    Result<ParsedFilter> parsed = parse_instance_filter(*workspace_id, value);
    if (!parsed) return parsed.error();
    if (parsed->has_unknown_status) {
        const char* reason = "filter.status must name statuses of instances";
        return Error{ErrorCode::invalid_argument, reason, {{"filter.status", reason}}};
    }
    if (!parsed->is_given) {
        const char* reason = "filter must name at least one thing: this would cancel everything";
        return Error{ErrorCode::invalid_argument, reason, {{"filter", reason}}};
    }
    keep_running(*parsed);
    request.filter = std::move(parsed->filter);
    return Call{std::move(request), parsed->is_impossible};
}

http::HttpResponse outcome_response(const CancelledInstances& outcome) {
    std::string body = R"({"matched":)";
    json::append_integer(body, outcome.matched);
    append_integer(body, "cancelled", outcome.cancelled);
    append_key(body, "failed");
    body += '[';
    for (const CancelledInstances::Refusal& refusal : outcome.refusals) {
        if (body.back() != '[') body += ',';
        body += R"({"id":)";
        append_id(body, refusal.id.value);
        append_text(body, "error", http::wire_error(refusal.error.code).code);
        append_text(body, "message", refusal.error.detail);
        body += '}';
    }
    body += R"(],"more":)";
    body += outcome.has_more ? "true" : "false";
    body += '}';
    return json_response(200, std::move(body));
}

}  // namespace

http::Handler cancel_instances_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<Call> call = parse(request);
        if (!call) return answer_error(respond, call.error());
        if (call->is_impossible) return respond(outcome_response({}));
        auto cancel_one = [context, respond, reason = call->request.reason,
                           actor = actor_of(request)](const InstanceKey& key,
                                                      std::function<void(Status)> done) {
            submit(context, respond,
                   audited(context, actor, key.workspace_id,
                           CancelInstance{.instance = key, .reason = reason}),
                   [done = std::move(done)](const Result<Instance>& cancelled) {
                       done(cancelled ? ok() : Status(cancelled.error()));
                   });
        };
        cancel_instances(std::move(call->request), context.queries, std::move(cancel_one),
                         answer_with<CancelledInstances>(respond, outcome_response));
    };
}

}  // namespace millrace::rest
