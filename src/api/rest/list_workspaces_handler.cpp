#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/workspace.hpp"
#include "api/rest/workspace_json.hpp"
#include "queue/get_workspace.hpp"
#include "queue/list_workspaces.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kWorkspacesList = "workspaces";

http::HttpResponse workspaces_response(const Listing<Workspace>& listing, const Page& page,
                                       const Context& context) {
    const auto append_item = [&context](std::string& out, const Workspace& workspace) {
        append_workspace(out, workspace, context);
    };
    return listing_response(kWorkspacesList, listing, page, append_item,
                            [](const Workspace& workspace) { return workspace.id.value; });
}

// A caller of one workspace sees that one, as a list.
void list_own(const Context& context, const http::Responder& respond, const WorkspaceId& id,
              const Page& page) {
    context.queries.submit(GetWorkspace{id}, [context, respond, page](Result<Workspace> found) {
        const bool is_gone = !found && found.error().code == ErrorCode::not_found;
        if (!found && !is_gone) return answer_error(respond, found.error());
        Listing<Workspace> listing;
        if (found) {
            listing.total = 1;
            const bool is_first_page = page.number == 0 && page.after < found->id.value;
            if (is_first_page) listing.items.push_back(std::move(*found));
        }
        respond(workspaces_response(listing, page, context));
    });
}

}  // namespace

http::Handler list_workspaces_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<std::optional<WorkspaceId>> scope = scope_of(request);
        if (!scope) return answer_error(respond, scope.error());
        const Result<Page> page = page_of(kWorkspacesList, request.query);
        if (!page) return answer_error(respond, page.error());
        if (*scope) return list_own(context, respond, **scope, *page);
        const auto make = [context, page = *page](const Listing<Workspace>& listing) {
            return workspaces_response(listing, page, context);
        };
        context.queries.submit(ListWorkspaces{*page},
                               answer_with<Listing<Workspace>>(respond, make));
    };
}

}  // namespace millrace::rest
