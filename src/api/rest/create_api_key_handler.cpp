#include "api/access/minted_key.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/api_key_json.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"
#include "core/access/principal.hpp"
#include "engine/create_api_key.hpp"

namespace millrace::rest {

namespace {

// Nobody gives away more than they have.
Status check_scope(const http::HttpRequest& request, const ApiKey& key) {
    const Result<std::optional<WorkspaceId>> scope = scope_of(request);
    if (!scope) return scope.error();
    const Principal* principal = request.principal.get();
    if (principal == nullptr || !principal->workspace_id) return ok();
    if (key.workspace_id == principal->workspace_id) return ok();
    return Error{ErrorCode::permission_denied, "This key makes keys for the workspace " +
                                                   principal->workspace_id->value +
                                                   " alone: say so in \"workspace\"."};
}

http::HttpResponse created_response(const ApiKey& key, const std::string& text) {
    std::string body;
    append_new_api_key(body, key, text);
    http::HttpResponse response = json_response(201, std::move(body));
    response.headers.emplace_back("Cache-Control", "no-store");
    return response;
}

}  // namespace

http::Handler create_api_key_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<json::Value> object = parse_object(request.body);
        if (!object) return answer_error(respond, object.error());
        Result<ApiKey> key = parse_new_api_key(*object);
        if (!key) return answer_error(respond, key.error());
        if (const Status allowed = check_scope(request, *key); !allowed) {
            return answer_error(respond, allowed.error());
        }
        const access::MintedKey minted = access::mint_key(context.random);
        key->id = minted.text.id;
        key->secret_hash = minted.secret_hash;
        const auto make = [text = to_string(minted.text)](const ApiKey& created) {
            return created_response(created, text);
        };
        submit(context, respond,
               audited(context, request, *workspace_id, CreateApiKey{std::move(*key)}),
               answer_with<ApiKey>(respond, make));
    };
}

}  // namespace millrace::rest
