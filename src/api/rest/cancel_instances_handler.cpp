#include "api/http/error_response.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/instance_filter.hpp"
#include "api/rest/json_fields.hpp"
#include "api/rest/json_filter.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "base/json/write.hpp"
#include "core/bounded_message.hpp"
#include "core/limits.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/cancel_instances.hpp"

namespace millrace::rest {

namespace {

constexpr FilterField kFilterFields[] = {
    {"definitionId"},
    {"definitionVersion", FilterKind::integer},
    {"status", FilterKind::text_or_texts},
    {"businessKey"},
    {"startedAfter"},
    {"startedBefore"},
    {"suspended", FilterKind::flag},
    {"text"},
};

Error in_filter(Error error) {
    for (auto& detail : error.details) detail.path = "filter." + detail.path;
    return error;
}

// Only what is not over can be cancelled. Nothing is left of a filter for what is.
void keep_running(std::vector<InstanceStatus>& statuses) {
    if (statuses.empty()) {
        statuses = {InstanceStatus::active, InstanceStatus::waiting};
    } else {
        std::erase_if(statuses, is_terminal);
    }
}

struct CancelCall {
    CancelInstances request{};
    bool is_impossible = false;
};

Result<CancelCall> parse_cancel_instances(const http::HttpRequest& http_request) {
    const Result<WorkspaceId> workspace_id = workspace_of(http_request);
    if (!workspace_id) return workspace_id.error();
    const Result<json::Value> object = parse_object(http_request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    const json::Value filter = body.object("filter");
    CancelInstances request{.reason = bounded_message(body.text("reason"))};
    request.is_dry_run = body.flag("dryRun");
    request.count_max = body.integer("limit").value_or(limits::kBulkInstancesDefault);
    if (request.count_max < 1 || request.count_max > limits::kBulkInstancesMax) {
        body.refuse("limit",
                    "limit must be between 1 and " + std::to_string(limits::kBulkInstancesMax));
    }
    if (!body.finish()) return body.error();

    FilterTexts texts;
    if (filter.is_object()) {
        Result<FilterTexts> read = read_json_filter(filter, kFilterFields);
        if (!read) return read.error();
        texts = std::move(*read);
    }
    if (texts.empty()) {
        const char* reason = "filter must name at least one thing: this would cancel everything";
        return Error{ErrorCode::invalid_argument, reason, {{"filter", reason}}};
    }
    const auto value = [&texts](std::string_view name) -> std::optional<std::string> {
        const auto found = texts.find(name);
        return found == texts.end() ? std::nullopt : std::optional(found->second);
    };
    Result<InstanceFilter> parsed = parse_instance_filter(*workspace_id, value);
    if (!parsed) return in_filter(parsed.error());
    keep_running(parsed->statuses);
    const bool is_impossible = parsed->statuses.empty();
    request.filter = std::move(*parsed);
    return CancelCall{std::move(request), is_impossible};
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
        Result<CancelCall> call = parse_cancel_instances(request);
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
