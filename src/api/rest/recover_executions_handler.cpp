#include <chrono>

#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/seconds.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"
#include "queue/find_execution.hpp"
#include "queue/handle_executions.hpp"
#include "queue/list_stale_claims.hpp"
#include "queue/recover_execution.hpp"

namespace millrace::rest {

namespace {

Result<ListStaleClaims> parse_recover_executions(const http::HttpRequest& request, Instant now) {
    constexpr Duration kLongest = std::chrono::hours{24 * 365};
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    const std::optional<double> seconds = body.number("olderThanSeconds");
    if (!seconds || !(*seconds >= 0)) {
        body.refuse("olderThanSeconds", "olderThanSeconds must be a number from 0 on");
    }
    if (!body.finish()) return body.error();
    const Duration age = clamped_seconds(seconds, Duration::zero(), Duration::zero(), kLongest);
    return ListStaleClaims{.workspace_id = *workspace_id,
                           .claimed_before = now - age,
                           .count_max = limits::kBulkExecutionsMax};
}

// What nobody owns is taken on by whoever looks next, which is due at once.
HandleOne recovering(const Context& context, const http::Responder& respond, const Actor& actor,
                     Instant claimed_before) {
    return [=](const ExecutionKey& key, std::int64_t,
               std::function<void(const Result<ExecutionId>&)> done) {
        RecoverExecution command{
            .key = key, .rules = context.dispatch_rules, .claimed_before = claimed_before};
        submit(context, respond, audited(context, actor, key.workspace_id, std::move(command)),
               [key, done = std::move(done)](const Result<RecoveredExecution>& recovered) {
                   if (!recovered) return done(recovered.error());
                   if (!recovered->is_recovered) return done(execution_not_found(key.id));
                   done(key.id);
               });
    };
}

http::HttpResponse recovered_response(const HandledExecutions& handled) {
    std::string body = R"({"recovered":)";
    json::append_integer(body, std::ssize(handled.done));
    body += '}';
    return json_response(200, std::move(body));
}

}  // namespace

http::Handler recover_executions_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<ListStaleClaims> query =
            parse_recover_executions(request, context.clock.now());
        if (!query) return answer_error(respond, query.error());
        const auto next = [context, respond, query = *query, actor = actor_of(request)](
                              const Result<std::vector<ExecutionKey>>& stale) {
            if (!stale) return answer_error(respond, stale.error());
            if (stale->empty()) return respond(recovered_response({}));
            HandleExecutions handling{.filter = {.workspace_id = query.workspace_id},
                                      .count_max = std::ssize(*stale),
                                      .at_once_max = limits::kPageSizeMax};
            for (const ExecutionKey& key : *stale) handling.ids.push_back(key.id);
            handle_executions(std::move(handling), context.queries,
                              recovering(context, respond, actor, query.claimed_before),
                              answer_with<HandledExecutions>(respond, recovered_response));
        };
        context.queries.submit(*query, next);
    };
}

}  // namespace millrace::rest
