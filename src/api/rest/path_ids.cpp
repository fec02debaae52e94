#include "api/rest/path_ids.hpp"

#include <algorithm>

#include "api/rest/workspace.hpp"
#include "core/access/workspace_name.hpp"
#include "core/queue/workspace.hpp"
#include "queue/find_execution.hpp"

namespace millrace::rest {

namespace {

constexpr std::size_t kShownBytesMax = 64;

// Ids are ASCII; what is none, and may not even be UTF-8, is not repeated.
bool is_shown(std::string_view text) {
    return text.size() <= kShownBytesMax &&
           std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

Error not_found(std::string_view what, std::string_view text) {
    std::string detail(what);
    if (is_shown(text)) detail.append(" \"").append(text).append("\"");
    return {ErrorCode::not_found, detail + " not found"};
}

}  // namespace

Result<InstanceKey> instance_key(const WorkspaceId& workspace_id, std::string_view text) {
    const auto id = parse_ulid(text);
    if (!id || id->sequence() != 0) return not_found("instance", text);
    return InstanceKey{{*id}, workspace_id};
}

Result<JobKey> job_key(const WorkspaceId& workspace_id, std::string_view text) {
    const auto id = parse_ulid(text);
    if (!id) return not_found("job", text);
    return JobKey{{*id}, workspace_id};
}

Result<ExecutionId> execution_id(std::string_view text) {
    const auto id = parse_ulid(text);
    if (!id || id->sequence() != 0) return not_found("execution", text);
    return ExecutionId{*id};
}

Result<WorkspaceId> named_workspace(std::string_view text) {
    if (!is_workspace(text)) return no_such_workspace(text);
    return WorkspaceId{std::string(text)};
}

Error no_such_workspace(std::string_view text) {
    if (!is_workspace(text)) return not_found("workspace", text);
    return workspace_not_found(WorkspaceId{std::string(text)});
}

Result<UserTaskKey> user_task_in_path(const http::HttpRequest& request,
                                      std::string_view parameter) {
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    const std::string& text = request.path_parameter(parameter);
    const auto id = parse_ulid(text);
    if (!id || id->sequence() < 2) return not_found("user task", text);
    return UserTaskKey{{*id}, *workspace_id};
}

Result<InstanceKey> instance_in_path(const http::HttpRequest& request, std::string_view parameter) {
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    return instance_key(*workspace_id, request.path_parameter(parameter));
}

Result<JobPlace> job_place_of(const http::HttpRequest& request) {
    const Result<std::optional<WorkspaceId>> scope = scope_of(request);
    if (!scope) return scope.error();
    if (*scope) return JobPlace{**scope, Lookup::here};
    return JobPlace{{kDefaultWorkspace}, Lookup::anywhere};
}

Result<SoughtJob> job_in_path(const http::HttpRequest& request, std::string_view parameter) {
    const Result<JobPlace> place = job_place_of(request);
    if (!place) return place.error();
    const Result<JobKey> key = job_key(place->workspace_id, request.path_parameter(parameter));
    if (!key) return key.error();
    return SoughtJob{*key, place->lookup};
}

}  // namespace millrace::rest
