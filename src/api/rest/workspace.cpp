#include "api/rest/workspace.hpp"

#include "api/rest/path_ids.hpp"
#include "core/access/principal.hpp"
#include "core/access/workspace_name.hpp"
#include "core/queue/workspace.hpp"

namespace millrace::rest {

namespace {

Error contradiction(const WorkspaceId& in_header, const WorkspaceId& in_path) {
    const std::string reason = "Expected one workspace, but Millrace-Workspace names " +
                               in_header.value + " and the path " + in_path.value + ".";
    return {ErrorCode::invalid_argument, reason, {{"Millrace-Workspace", reason}}};
}

}  // namespace

Result<WorkspaceId> workspace_of(const http::HttpRequest& request) {
    const Result<std::optional<WorkspaceId>> scope = scope_of(request);
    if (!scope) return scope.error();
    const std::string* in_path = request.find_path_parameter("ws");
    if (in_path == nullptr) return scope->value_or(WorkspaceId{kDefaultWorkspace});

    Result<WorkspaceId> named = named_workspace(*in_path);
    if (!named || !*scope || **scope == *named) return named;
    // Whoever may not see a workspace learns nothing of it, not even that it is there.
    return is_of_cluster(request) ? contradiction(**scope, *named) : no_such_workspace(*in_path);
}

Result<std::optional<WorkspaceId>> scope_of(const http::HttpRequest& request) {
    // Which of two is meant, nobody can say; a proxy may have added one of them.
    if (request.headers.count("Millrace-Workspace") > 1) {
        return Error{ErrorCode::invalid_argument,
                     "Expected one header Millrace-Workspace, but there are several."};
    }
    std::optional<WorkspaceId> named;
    if (const auto sent = request.headers.find("Millrace-Workspace")) {
        if (!is_workspace(*sent)) {
            return Error{ErrorCode::invalid_argument,
                         "Expected a workspace of up to 63 lower-case letters, digits and hyphens "
                         "in Millrace-Workspace."};
        }
        named = WorkspaceId{std::string(*sent)};
    }
    if (is_of_cluster(request)) return named;
    const WorkspaceId& own = *request.principal->workspace_id;
    if (named && *named != own) {
        return Error{ErrorCode::permission_denied,
                     "This key is good for the workspace " + own.value + " alone."};
    }
    return std::optional(own);
}

bool is_of_cluster(const http::HttpRequest& request) {
    return request.principal == nullptr || !request.principal->workspace_id;
}

Status check_is_of_cluster(const http::HttpRequest& request) {
    if (is_of_cluster(request)) return ok();
    return Error{ErrorCode::permission_denied,
                 "Expected a key of the whole cluster, but this one is good for the workspace " +
                     request.principal->workspace_id->value + " alone."};
}

}  // namespace millrace::rest
