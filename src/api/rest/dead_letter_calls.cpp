#include "api/rest/dead_letter_calls.hpp"

#include "api/http/error_response.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/item_list.hpp"
#include "api/rest/json_fields.hpp"
#include "api/rest/json_filter.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"

namespace millrace::rest {

namespace {

Error refused(const std::string& path, const std::string& rule) {
    const std::string reason = path + rule;
    return {ErrorCode::invalid_argument, reason, {{path, reason}}};
}

Result<std::vector<ExecutionId>> parse_ids(const json::Array& array) {
    std::vector<ExecutionId> ids;
    for (const json::Value& each : array) {
        const std::string* text = each.if_string();
        const Result<ExecutionId> id = execution_id(text == nullptr ? "" : *text);
        if (!id) return refused(item_path("ids", ids.size()), " must be the id of an execution");
        ids.push_back(*id);
    }
    return ids;
}

Status add_filter(ExecutionFilter& filter, const json::Value& object) {
    constexpr FilterField kFields[] = {{"definitionId"}, {"reason"}};
    const Result<FilterTexts> texts = read_json_filter(object, kFields);
    if (!texts) return texts.error();
    for (const auto& [name, text] : *texts) {
        (name == "reason" ? filter.error_reason : filter.definition_id) = text;
    }
    return ok();
}

std::int64_t limit_of(BodyReader& body) {
    const std::int64_t limit = body.integer("limit").value_or(limits::kBulkExecutionsDefault);
    if (limit < 1 || limit > limits::kBulkExecutionsMax) {
        body.refuse("limit",
                    "limit must be between 1 and " + std::to_string(limits::kBulkExecutionsMax));
    }
    return limit;
}

}  // namespace

Result<HandleExecutions> parse_dead_letters(const http::HttpRequest& request, BodyReader& body) {
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    HandleExecutions asked{
        .filter = {.workspace_id = *workspace_id, .only_dead_letters = true},
        .count_max = limit_of(body),
        .at_once_max = limits::kBulkAtOnceMax,
    };
    const json::Value filter = body.object("filter");
    const Result<const json::Array*> array = item_array(body, "ids");
    if (!array) return array.error();
    if (!body.finish()) return body.error();
    const bool has_ids = *array != nullptr;
    if (has_ids && filter.is_object()) return refused("ids", " and filter must not both be given");
    if (!has_ids && !filter.is_object()) {
        return refused("ids", " or filter is required: it says which dead letters are meant");
    }
    if (!has_ids) {
        const Status added = add_filter(asked.filter, filter);
        if (!added) return added.error();
        return asked;
    }
    if ((*array)->empty()) return refused("ids", " must not be empty");
    Result<std::vector<ExecutionId>> ids = parse_ids(**array);
    if (!ids) return ids.error();
    asked.ids = std::move(*ids);
    return asked;
}

void append_outcome(std::string& out, const HandledExecutions& handled) {
    append_key(out, "failed");
    out += '[';
    for (const HandledExecutions::Refusal& refusal : handled.refusals) {
        if (out.back() != '[') out += ',';
        out += R"({"id":)";
        append_id(out, refusal.id.value);
        append_text(out, "error", http::wire_error(refusal.error.code).code);
        append_text(out, "message", refusal.error.detail);
        out += '}';
    }
    out += ']';
    append_integer(out, "remaining", handled.remaining);
    out += '}';
}

http::HttpResponse outcome_response(std::string_view verb, const HandledExecutions& handled) {
    std::string body = "{\"" + std::string(verb) + "\":";
    json::append_integer(body, std::ssize(handled.done));
    append_outcome(body, handled);
    return json_response(200, std::move(body));
}

}  // namespace millrace::rest
