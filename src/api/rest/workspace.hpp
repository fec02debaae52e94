#pragma once

#include <optional>

#include "api/http/message.hpp"
#include "base/id.hpp"
#include "base/result.hpp"

namespace millrace::rest {

// Whose request it is: the workspace of its key; for a key of the whole cluster, or without one,
// what the header Millrace-Workspace says, else `default`. permission_denied when the header names
// another workspace than that of the key. Every handler asks here and nowhere else.
Result<WorkspaceId> workspace_of(const http::HttpRequest& request);

// The same for calls about things that need not be in a workspace, such as keys: empty means all.
Result<std::optional<WorkspaceId>> scope_of(const http::HttpRequest& request);

}  // namespace millrace::rest
