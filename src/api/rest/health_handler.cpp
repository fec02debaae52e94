#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "base/json/write.hpp"

namespace millrace::rest {
namespace {

constexpr std::string_view kSwitchedOff =
    "The engine is switched off: executions are accepted and kept, none is dispatched.";

void append_sentences(std::string& body, std::string_view name,
                      const std::vector<std::string>& sentences) {
    body += ",\"";
    body += name;
    body += "\":[";
    for (const std::string& each : sentences) {
        if (body.back() != '[') body += ',';
        json::append_string(body, each);
    }
    body += ']';
}

}  // namespace

http::Handler health_handler() {
    return [](const http::HttpRequest&, const http::Responder& respond) {
        respond({.status = 200});
    };
}

http::Handler readiness_handler(const Context& context) {
    return [not_ready = context.not_ready, facts = context.process_facts](
               const http::HttpRequest&, const http::Responder& respond) {
        const std::vector<std::string> reasons =
            not_ready ? not_ready() : std::vector<std::string>{};
        std::string body = R"({"ready":)";
        body += reasons.empty() ? "true" : "false";
        append_sentences(body, "reasons", reasons);
        if (!facts().is_engine_enabled)
            append_sentences(body, "notes", {std::string(kSwitchedOff)});
        body += '}';
        respond(json_response(reasons.empty() ? 200 : 503, std::move(body)));
    };
}

}  // namespace millrace::rest
