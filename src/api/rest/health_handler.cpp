#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "base/json/write.hpp"

namespace millrace::rest {

http::Handler health_handler() {
    return [](const http::HttpRequest&, const http::Responder& respond) {
        respond({.status = 200});
    };
}

http::Handler readiness_handler(const Context& context) {
    return
        [not_ready = context.not_ready](const http::HttpRequest&, const http::Responder& respond) {
            const std::vector<std::string> reasons =
                not_ready ? not_ready() : std::vector<std::string>{};
            std::string body = R"({"ready":)";
            body += reasons.empty() ? "true" : "false";
            body += R"(,"reasons":[)";
            for (const std::string& reason : reasons) {
                if (body.back() != '[') body += ',';
                json::append_string(body, reason);
            }
            body += "]}";
            respond(json_response(reasons.empty() ? 200 : 503, std::move(body)));
        };
}

}  // namespace millrace::rest
