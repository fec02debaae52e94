#include <string>

#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "engine/upload_definition.hpp"

namespace millrace::rest {

namespace {

bool is_xml(const http::HttpRequest& request) {
    const std::string_view type = request.headers.find("Content-Type").value_or("");
    return type.find("application/xml") != std::string_view::npos ||
           type.find("text/xml") != std::string_view::npos;
}

Result<UploadDefinition> parse_upload_definition(const http::HttpRequest& request) {
    if (is_xml(request)) {
        return Error{ErrorCode::unsupported_format, "Only JSON workflow definitions are accepted"};
    }
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    Result<json::Value> document = json::parse(request.body);
    if (!document) {
        return Error{document.error().code, "parse error: parse: " + document.error().detail,
                     document.error().details};
    }
    return make_upload(*workspace_id, std::move(*document));
}

http::HttpResponse uploaded_response(const UploadedDefinition& uploaded) {
    std::string body = R"({"id":)";
    json::append_string(body, uploaded.id);
    body += R"(,"version":)";
    json::append_integer(body, uploaded.version);
    body += R"(,"name":)";
    json::append_string(body, uploaded.name);
    body += R"(,"uploadedAt":)";
    append_time(body, uploaded.uploaded_at);
    body += '}';
    return json_response(201, std::move(body));
}

}  // namespace

http::Handler upload_definition_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<UploadDefinition> command = parse_upload_definition(request);
        if (!command) return answer_error(respond, command.error());
        const WorkspaceId workspace_id = command->workspace_id;
        submit(context, respond, audited(context, request, workspace_id, std::move(*command)),
               answer_with<UploadedDefinition>(respond, uploaded_response));
    };
}

}  // namespace millrace::rest
