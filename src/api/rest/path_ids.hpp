#pragma once

#include "api/http/message.hpp"
#include "base/result.hpp"
#include "core/queue/execution.hpp"

namespace millrace::rest {

// Ids in paths and bodies are what the API gave out: anything else was never given out, so there is
// no such thing.
Result<InstanceKey> instance_key(const WorkspaceId& workspace_id, std::string_view text);
Result<JobKey> job_key(const WorkspaceId& workspace_id, std::string_view text);
Result<ExecutionId> execution_id(std::string_view text);
Result<WorkspaceId> named_workspace(std::string_view text);

// The same for one that is not there and for one that is none of the caller's business.
Error no_such_workspace(std::string_view text);

// Of the caller's workspace, named by that parameter of the path.
Result<InstanceKey> instance_in_path(const http::HttpRequest& request, std::string_view parameter);
Result<UserTaskKey> user_task_in_path(const http::HttpRequest& request, std::string_view parameter);

// Jobs are also found by their ids alone: workers that cannot name a workspace are handed jobs of
// all of them. Whoever names one, or has a key of one, finds nothing elsewhere.
enum class Lookup { here, anywhere };

struct JobPlace {
    WorkspaceId workspace_id{};  // Where to look; `default`, until something better is known.
    Lookup lookup = Lookup::here;
};
Result<JobPlace> job_place_of(const http::HttpRequest& request);

struct SoughtJob {
    JobKey key{};
    Lookup lookup = Lookup::here;
};
Result<SoughtJob> job_in_path(const http::HttpRequest& request, std::string_view parameter);

}  // namespace millrace::rest
