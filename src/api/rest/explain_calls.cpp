#include "api/rest/explain_calls.hpp"

#include "api/rest/answer.hpp"
#include "api/rest/json_fields.hpp"
#include "base/json/write.hpp"

namespace millrace::rest {

namespace {

void append_reason(std::string& out, const Reason& reason) {
    out += R"({"code":)";
    json::append_string(out, reason.code);
    append_text(out, "message", reason.message);
    append_key(out, "evidence");
    out += json::write(reason.evidence);
    append_if_set(out, "until", reason.until);
    append_unless_empty(out, "advice", reason.advice);
    out += '}';
}

}  // namespace

ExplainContext explain_context(const Context& context) {
    return {.process = context.process_facts(),
            .plans = context.plans,
            .workers = [&broker = context.broker](
                           const WaitingType& type) { return broker.workers_of(type); },
            .now = context.clock.now()};
}

http::HttpResponse explanation_response(const Explanation& explanation) {
    std::string body = R"({"subject":)";
    json::append_string(body, explanation.subject);
    append_text(body, "id", explanation.id);
    append_text(body, "status", explanation.status);
    append_flag(body, "over", explanation.is_over);
    append_text(body, "summary", explanation.summary);
    append_if_set(body, "estimatedAt", explanation.estimated_at);
    append_key(body, "reasons");
    body += '[';
    for (const Reason& reason : explanation.reasons) {
        if (body.back() != '[') body += ',';
        append_reason(body, reason);
    }
    body += "]}";
    return json_response(200, std::move(body));
}

}  // namespace millrace::rest
