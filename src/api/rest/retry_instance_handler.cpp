#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/instance_response.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "engine/retry_instance.hpp"

namespace millrace::rest {

namespace {

// An instance keeps its execution for good, so that a second time is the last.
void retry(const Context& context, const http::Responder& respond,
           const Audited<RetryInstance>& command) {
    submit(context, respond, command, [=](const Result<RetriedInstance>& retried) {
        if (!retried) return answer_error(respond, retried.error());
        if (!retried->execution_needed) return respond(instance_response(retried->instance));
        Audited<RetryInstance> again = command;
        again.request.execution_id = retried->execution_needed;
        retry(context, respond, again);
    });
}

}  // namespace

http::Handler retry_instance_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        retry(context, respond, audited(context, request, key->workspace_id, RetryInstance{*key}));
    };
}

}  // namespace millrace::rest
