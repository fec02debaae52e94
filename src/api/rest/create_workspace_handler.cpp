#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"
#include "api/rest/workspace_json.hpp"
#include "queue/create_workspace.hpp"

namespace millrace::rest {

namespace {

Result<CreateWorkspace> parse_create_workspace(const http::HttpRequest& request,
                                               const Plans& plans) {
    if (const auto scope = scope_of(request); !scope) return scope.error();
    if (const Status allowed = check_is_of_cluster(request); !allowed) return allowed.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    CreateWorkspace command{.id = WorkspaceId{body.text("id")}, .plans = plans};
    command.settings = workspace_changes_in(body);
    if (!body.finish()) return body.error();
    return command;
}

}  // namespace

http::Handler create_workspace_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<CreateWorkspace> command = parse_create_workspace(request, context.plans);
        if (!command) return answer_error(respond, command.error());
        const auto make = [context](const Workspace& workspace) {
            http::HttpResponse response = workspace_response(201, workspace, context);
            response.headers.emplace_back("Location", "/v1/workspaces/" + workspace.id.value);
            return response;
        };
        const WorkspaceId id = command->id;
        submit(context, respond, audited(context, request, id, std::move(*command)),
               answer_with<Workspace>(respond, make));
    };
}

}  // namespace millrace::rest
