#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/query_filter.hpp"
#include "api/rest/user_task_json.hpp"
#include "api/rest/workspace.hpp"
#include "engine/list_user_tasks.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kUserTasksList = "user-tasks";

http::HttpResponse user_tasks_response(const Listing<UserTask>& listing, const Page& page) {
    return listing_response(kUserTasksList, listing, page, append_user_task);
}

Result<UserTaskFilter> filter_of(QueryFilter& given, const WorkspaceId& workspace_id) {
    UserTaskFilter filter{
        .workspace_id = workspace_id,
        .status = UserTaskState::open,
        .instance_id = given.instance_id("instanceId"),
        .definition_id = given.text("definitionId"),
        .step_id = given.text("stepId"),
        .assignee = given.text("assignee"),
        .candidate_group = given.text("group"),
    };
    if (!filter.step_id) filter.step_id = given.text("type");
    const std::string unassigned = given.text("unassigned").value_or("false");
    if (unassigned != "true" && unassigned != "false") {
        return must_be("unassigned", "true or false");
    }
    if (unassigned == "true") filter.assignee = "";
    const std::string status = given.text("status").value_or("OPEN");
    filter.status = parse_user_task_state(status);
    if (!filter.status && status != "ALL") {
        return no_such_value("status", status, {"OPEN", "COMPLETED", "CANCELLED", "ALL"});
    }
    return filter;
}

}  // namespace

http::Handler list_user_tasks_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<Page> page = page_of(kUserTasksList, request.query);
        if (!page) return answer_error(respond, page.error());
        QueryFilter given(request.query);
        const Result<UserTaskFilter> filter = filter_of(given, *workspace_id);
        if (!filter) return answer_error(respond, filter.error());
        if (given.matches_nothing()) return respond(user_tasks_response({}, *page));
        const auto make = [page = *page](const Listing<UserTask>& listing) {
            return user_tasks_response(listing, page);
        };
        queries.submit(ListUserTasks{*filter, *page},
                       answer_with<Listing<UserTask>>(respond, make));
    };
}

}  // namespace millrace::rest
