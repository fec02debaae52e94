#include "api/access/minted_key.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/api_key_json.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/workspace.hpp"
#include "base/json/write.hpp"
#include "core/access/principal.hpp"
#include "core/expression/time_value.hpp"
#include "engine/create_api_key.hpp"

namespace millrace::rest {

namespace {

std::optional<Instant> time_of(BodyReader& body, std::string_view name) {
    const std::string text = body.text(name);
    if (text.empty()) return std::nullopt;
    const auto time = expression::parse_time(text);
    // A date alone would leave open when it ends.
    const bool is_whole = text.find_first_of("Tt") != std::string::npos;
    if (time && is_whole) return time->at;
    body.refuse(name, std::string(name) + " must be a time such as 2027-01-31T12:00:00Z");
    return std::nullopt;
}

// All but its id, secret and time.
Result<ApiKey> parse(const json::Value& object) {
    BodyReader body(object);
    ApiKey key{.name = body.name("name")};
    if (key.name.empty()) body.refuse("name", "name is required");
    const std::optional<Role> role = parse_role(body.text("role"));
    if (!role) body.refuse("role", "role must be viewer, worker, operator or admin");
    const std::string workspace = body.text("workspace");
    if (!workspace.empty() && !is_workspace(workspace)) {
        body.refuse("workspace",
                    "workspace must be up to 63 lower-case letters, digits and hyphens");
    }
    key.expires_at = time_of(body, "expiresAt");
    if (body.has_error()) return body.error();
    key.role = *role;
    if (!workspace.empty()) key.workspace_id = WorkspaceId{workspace};
    return key;
}

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
    std::string body = "{";
    append_api_key_members(body, key);
    body += R"(,"key":)";
    json::append_string(body, text);
    body += '}';
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
        Result<ApiKey> key = parse(*object);
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
        context.commands.submit(
            audited(context, request, *workspace_id, CreateApiKey{std::move(*key)}),
            answer_with<ApiKey>(respond, make));
    };
}

}  // namespace millrace::rest
