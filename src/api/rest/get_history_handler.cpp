#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/wire_json.hpp"
#include "engine/get_history.hpp"

namespace millrace::rest {

namespace {

http::HttpResponse history_response(const std::vector<StepExecution>& lines) {
    std::string body = R"({"items":[)";
    for (const StepExecution& line : lines) {
        if (body.back() != '[') body += ',';
        append_step_execution(body, line);
    }
    body += "]}";
    return json_response(200, std::move(body));
}

}  // namespace

http::Handler get_history_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        queries.submit(GetHistory{*key},
                       answer_with<std::vector<StepExecution>>(respond, history_response));
    };
}

}  // namespace millrace::rest
