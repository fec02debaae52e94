#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/workspace.hpp"
#include "base/json/write.hpp"
#include "core/access/principal.hpp"

namespace millrace::rest {

namespace {

std::string described(const Principal& principal) {
    std::string body = R"({"authenticated":true,"keyId":)";
    json::append_string(body, principal.key_id);
    body += R"(,"name":)";
    json::append_string(body, principal.name);
    body += R"(,"role":)";
    json::append_string(body, to_string(principal.role));
    if (principal.workspace_id) {
        body += R"(,"workspace":)";
        json::append_string(body, principal.workspace_id->value);
    }
    body += '}';
    return body;
}

}  // namespace

http::Handler who_am_i_handler() {
    return [](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        // Where nobody is asked for a key, everybody may do everything.
        const bool is_known = request.principal != nullptr;
        respond(json_response(200, is_known ? described(*request.principal)
                                            : R"({"authenticated":false,"role":"admin"})"));
    };
}

}  // namespace millrace::rest
