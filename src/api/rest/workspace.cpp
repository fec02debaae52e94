#include "api/rest/workspace.hpp"

#include <algorithm>

#include "core/access/principal.hpp"

namespace millrace::rest {

namespace {

constexpr std::size_t kWorkspaceBytesMax = 63;

bool is_lower_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace

bool is_workspace(std::string_view text) {
    return !text.empty() && text.size() <= kWorkspaceBytesMax && text.front() != '-' &&
           std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

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
