#pragma once

#include "api/http/message.hpp"
#include "base/result.hpp"
#include "core/instance/instance.hpp"

namespace millrace::rest {

// Ids in paths and bodies are what the API gave out: anything else was never given out, so there is
// no such thing.
Result<InstanceKey> instance_key(const WorkspaceId& workspace_id, std::string_view text);
Result<JobKey> job_key(const WorkspaceId& workspace_id, std::string_view text);

// Of the caller's workspace, named by that parameter of the path.
Result<InstanceKey> instance_in_path(const http::HttpRequest& request, std::string_view parameter);
Result<UserTaskKey> user_task_in_path(const http::HttpRequest& request, std::string_view parameter);
Result<JobKey> job_in_path(const http::HttpRequest& request, std::string_view parameter);

}  // namespace millrace::rest
