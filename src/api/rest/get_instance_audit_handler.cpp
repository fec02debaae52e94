#include "api/rest/answer.hpp"
#include "api/rest/audit_json.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"
#include "engine/get_instance_audit.hpp"

namespace millrace::rest {

namespace {

http::HttpResponse audit_response(const std::vector<AuditLine>& lines, bool is_audited) {
    std::string body = R"({"items":[)";
    for (const AuditLine& line : lines) {
        if (body.back() != '[') body += ',';
        append_audit_line(body, line);
    }
    body += ']';
    body += enabled_member(is_audited);
    body += '}';
    return json_response(200, std::move(body));
}

}  // namespace

http::Handler get_instance_audit_handler(const Context& context) {
    return [&queries = context.queries, is_audited = context.is_audited](
               const http::HttpRequest& request, const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        const auto make = [is_audited](const std::vector<AuditLine>& lines) {
            return audit_response(lines, is_audited);
        };
        queries.submit(GetInstanceAudit{*key}, answer_with<std::vector<AuditLine>>(respond, make));
    };
}

}  // namespace millrace::rest
