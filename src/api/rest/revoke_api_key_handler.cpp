#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"
#include "core/access/key_text.hpp"
#include "engine/revoke_api_key.hpp"

namespace millrace::rest {

http::Handler revoke_api_key_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        Result<std::optional<WorkspaceId>> scope = scope_of(request);
        if (!scope) return answer_error(respond, scope.error());
        const std::string& id = request.path_parameter("id");
        // What no key can be called was never given out, and may not even be text for a store.
        if (id.find_first_not_of(kKeyIdAlphabet) != std::string::npos) {
            return answer_error(respond, {ErrorCode::not_found, "key not found"});
        }
        const auto make = [](const ApiKey&) {
            return http::HttpResponse{.status = 204};
        };
        RevokeApiKey command{.id = id, .workspace_id = std::move(*scope)};
        submit(context, respond, audited(context, request, *workspace_id, std::move(command)),
               answer_with<ApiKey>(respond, make));
    };
}

}  // namespace millrace::rest
