#include "api/rest/actor.hpp"
#include "api/rest/enqueue_calls.hpp"
#include "api/rest/execution_calls.hpp"
#include "api/rest/execution_json.hpp"
#include "api/rest/handlers.hpp"

namespace millrace::rest {

namespace {

// The one that will run: the same, or a new one.
http::HttpResponse redriven_one_response(const Execution& execution) {
    http::HttpResponse response = execution_response(execution);
    response.status = 202;
    response.headers.emplace_back("Location", location_of(execution.key.id));
    return response;
}

}  // namespace

http::Handler redrive_dead_letter_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<GetExecution> asked = execution_in_path(request);
        if (!asked) return answer_error(respond, asked.error());
        const Redrive redrive{.actor = actor_of(request), .requested_by = requested_by(request)};
        submit_redrive(context, respond, redrive, *asked,
                       answer_with<Execution>(respond, redriven_one_response));
    };
}

}  // namespace millrace::rest
