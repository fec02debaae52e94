#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"
#include "api/rest/workspace_json.hpp"
#include "queue/change_workspace.hpp"

namespace millrace::rest {

namespace {

// Its own admin may name and pause a workspace; what it may use is decided by those of the cluster.
Result<ChangeWorkspace> parse_change_workspace(const http::HttpRequest& request,
                                               const Plans& plans) {
    const Result<WorkspaceId> id = workspace_of(request);
    if (!id) return id.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    WorkspaceChanges changes = workspace_changes_in(body);
    if (!body.finish()) return body.error();
    if (changes_limits(changes)) {
        if (const Status allowed = check_is_of_cluster(request); !allowed) return allowed.error();
    }
    return ChangeWorkspace{*id, std::move(changes), plans};
}

}  // namespace

http::Handler change_workspace_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<ChangeWorkspace> command = parse_change_workspace(request, context.plans);
        if (!command) return answer_error(respond, command.error());
        const auto make = [context](const Workspace& workspace) {
            return workspace_response(200, workspace, context);
        };
        const WorkspaceId id = command->id;
        submit(context, respond, audited(context, request, id, std::move(*command)),
               answer_with<Workspace>(respond, make));
    };
}

}  // namespace millrace::rest
