#include <algorithm>
#include <limits>

#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/item_list.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "core/limits.hpp"
#include "engine/start_instance.hpp"

namespace millrace::rest {

namespace {

// A version that nobody can have uploaded is not found; everything below 1 asks for the latest.
std::int32_t version_of(std::optional<std::int64_t> version) {
    constexpr std::int64_t kVersionMax = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(version.value_or(0), 0, kVersionMax));
}

Result<StartInstance> parse(const json::Value& object, const WorkspaceId& workspace_id,
                            std::string path = {}) {
    BodyReader body(object, std::move(path));
    StartInstance command{.key = {.workspace_id = workspace_id}};
    command.definition_id = body.name("definitionId");
    command.definition_version = version_of(body.integer("definitionVersion"));
    command.business_key = body.name("businessKey");
    const json::Value variables = body.object("variables");
    if (command.definition_id.empty()) body.refuse("definitionId", "definitionId is required");
    if (body.has_error()) return body.error();

    if (variables.is_object()) command.variables = Variables::from_value(variables);
    if (command.variables.text().size() > limits::kVariablesBytesMax) {
        return Error{ErrorCode::too_large, "variables must be at most " +
                                               std::to_string(limits::kVariablesBytesMax) +
                                               " bytes long"};
    }
    return command;
}

http::HttpResponse started_response(const Instance& instance) {
    std::string body;
    append_instance(body, instance);
    return json_response(201, std::move(body));
}

std::string started_members(const Instance& instance) {
    std::string members = R"("status":201,"instance":)";
    append_instance(members, instance);
    return members;
}

Result<StartInstance> parse_item(const json::Value& item, const WorkspaceId& workspace_id,
                                 const std::string& path) {
    if (const auto error = item_error(item, path)) return *error;
    return parse(item, workspace_id, path);
}

Result<std::vector<Item<StartInstance>>> parse_list(const http::HttpRequest& request,
                                                    const Context& context) {
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    const Result<const json::Array*> array = item_array(body, "instances");
    if (!array) return array.error();
    if (*array == nullptr) {
        return Error{ErrorCode::invalid_argument, "instances is required"};
    }
    std::vector<Item<StartInstance>> items;
    for (const json::Value& each : **array) {
        auto parsed = parse_item(each, *workspace_id, item_path("instances", items.size()));
        if (parsed) parsed->key.id = context.instance_ids.next();
        items.push_back({.request = std::move(parsed)});
    }
    return items;
}

}  // namespace

http::Handler start_instance_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<json::Value> object = parse_object(request.body);
        if (!object) return answer_error(respond, object.error());
        Result<StartInstance> command = parse(*object, *workspace_id);
        if (!command) return answer_error(respond, command.error());

        command->key.id = context.instance_ids.next();
        context.commands.submit(std::move(*command),
                                answer_with<Instance>(respond, started_response));
    };
}

http::Handler start_instances_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<std::vector<Item<StartInstance>>> items = parse_list(request, context);
        if (!items) return answer_error(respond, items.error());
        submit_items(context.commands, respond, std::move(*items), started_members,
                     [](const Result<Instance>&) {});
    };
}

}  // namespace millrace::rest
