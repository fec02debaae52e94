#pragma once

#include <optional>

#include "api/http/message.hpp"
#include "base/id.hpp"
#include "base/result.hpp"

namespace millrace::rest {

// Whose request it is: the workspace that its path names as `ws`; else that of its key; for a key
// of the whole cluster, or without one, what the header Millrace-Workspace says, else `default`.
// permission_denied when the header names another workspace than that of the key, not_found when
// the path does, invalid_argument when path and header differ. Every handler asks here and nowhere
// else.
Result<WorkspaceId> workspace_of(const http::HttpRequest& request);

// The same for calls about things that need not be in a workspace, such as keys, or that are found
// by an id alone: empty means all. The path is not asked.
Result<std::optional<WorkspaceId>> scope_of(const http::HttpRequest& request);

// Whether the caller may see every workspace, wherever this request looks.
bool is_of_cluster(const http::HttpRequest& request);

// permission_denied unless it is: for what decides over workspaces.
Status check_is_of_cluster(const http::HttpRequest& request);

}  // namespace millrace::rest
