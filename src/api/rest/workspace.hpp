#pragma once

#include "api/http/message.hpp"
#include "base/id.hpp"
#include "base/result.hpp"

namespace millrace::rest {

// Whose request it is: what the header Millrace-Workspace says, else `default`.
Result<WorkspaceId> workspace_of(const http::HttpRequest& request);

}  // namespace millrace::rest
