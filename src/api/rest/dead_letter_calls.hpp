#pragma once

#include <string_view>

#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/submit.hpp"
#include "queue/handle_executions.hpp"

namespace millrace::rest {

// What calls about many dead letters share: {ids | filter {definitionId, reason}, limit}.

// Which ones are meant, of the caller's workspace. invalid_argument names what is wrong.
// What else the object may have is read before.
Result<HandleExecutions> parse_dead_letters(const http::HttpRequest& request, BodyReader& body);

// `,"failed":[{"id","error","message"}],"remaining":n}`
void append_outcome(std::string& out, const HandledExecutions& handled);

// {"VERB":n,"failed":[…],"remaining":n}
http::HttpResponse outcome_response(std::string_view verb, const HandledExecutions& handled);

// Submits one command for each dead letter that the body names, and tells how many it was done to.
template <class Command>
http::Handler handler_of_each(const Context& context, const char* verb) {
    return [context, verb](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<json::Value> object = parse_object(request.body);
        if (!object) return answer_error(respond, object.error());
        BodyReader body(*object);
        const Result<HandleExecutions> asked = parse_dead_letters(request, body);
        if (!asked) return answer_error(respond, asked.error());
        const auto handle_one = [context, respond, actor = actor_of(request)](
                                    const ExecutionKey& key, std::int64_t,
                                    std::function<void(const Result<ExecutionId>&)> done) {
            submit(context, respond, audited(context, actor, key.workspace_id, Command{key}),
                   [done = std::move(done)](const Result<Execution>& handled) {
                       if (!handled) return done(handled.error());
                       done(handled->key.id);
                   });
        };
        const auto make = [verb](const HandledExecutions& handled) {
            return outcome_response(verb, handled);
        };
        handle_executions(*asked, context.queries, handle_one,
                          answer_with<HandledExecutions>(respond, make));
    };
}

}  // namespace millrace::rest
