#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/instance_response.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "engine/change_variables.hpp"

namespace millrace::rest {

namespace {

std::vector<std::string> names_in(BodyReader& body, std::string_view field) {
    std::vector<std::string> names;
    const json::Array* array = body.array(field);
    if (array == nullptr) return names;
    for (const json::Value& each : *array) {
        if (const std::string* name = each.if_string()) {
            names.push_back(*name);
        } else {
            body.refuse(field, std::string(field) + " must be an array of strings");
        }
    }
    return names;
}

Result<ChangeVariables> parse_change_variables(const http::HttpRequest& request) {
    const Result<InstanceKey> key = instance_in_path(request, "id");
    if (!key) return key.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    ChangeVariables command{.instance = *key};
    command.changes = body.object("variables");
    command.removed = names_in(body, "remove");
    command.expected_version = body.integer("expectedVersion");
    if (command.changes.is_null() && command.removed.empty()) {
        body.refuse("variables", "variables or remove is required");
    }
    if (!body.finish()) return body.error();
    return command;
}

}  // namespace

http::Handler change_variables_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<ChangeVariables> command = parse_change_variables(request);
        if (!command) return answer_error(respond, command.error());
        const WorkspaceId workspace_id = command->instance.workspace_id;
        submit(context, respond, audited(context, request, workspace_id, std::move(*command)),
               answer_with<Instance>(respond, instance_response));
    };
}

}  // namespace millrace::rest
