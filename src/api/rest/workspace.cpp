#include "api/rest/workspace.hpp"

#include "core/access/principal.hpp"
#include "core/access/workspace_name.hpp"

namespace millrace::rest {

Result<WorkspaceId> workspace_of(const http::HttpRequest& request) {
    Result<std::optional<WorkspaceId>> scope = scope_of(request);
    if (!scope) return scope.error();
    return scope->value_or(WorkspaceId{"default"});
}

Result<std::optional<WorkspaceId>> scope_of(const http::HttpRequest& request) {
    std::optional<WorkspaceId> named;
    if (const auto sent = request.headers.find("Millrace-Workspace")) {
        if (!is_workspace(*sent)) {
            return Error{ErrorCode::invalid_argument,
                         "Expected a workspace of up to 63 lower-case letters, digits and hyphens "
                         "in Millrace-Workspace."};
        }
        named = WorkspaceId{std::string(*sent)};
    }
    if (request.principal == nullptr || !request.principal->workspace_id) return named;
    const WorkspaceId& own = *request.principal->workspace_id;
    if (named && *named != own) {
        return Error{ErrorCode::permission_denied,
                     "This key is good for the workspace " + own.value + " alone."};
    }
    return std::optional(own);
}

}  // namespace millrace::rest
