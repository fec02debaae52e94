#include <chrono>

#include "api/rest/actor.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/dead_letter_calls.hpp"
#include "api/rest/enqueue_calls.hpp"
#include "api/rest/execution_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/json_fields.hpp"
#include "api/rest/wire_json.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"

namespace millrace::rest {

namespace {

struct RedriveCall {
    HandleExecutions asked{};
    std::optional<double> rate_per_second{};
};

std::optional<double> rate_of(BodyReader& body) {
    const std::optional<double> rate = body.number("ratePerSecond");
    // Written so that no number at all is wrong too.
    const bool is_good =
        !rate || (*rate >= limits::kWorkspaceRateMin && *rate <= limits::kWorkspaceRateMax);
    if (!is_good) {
        body.refuse("ratePerSecond",
                    "ratePerSecond must be at least one a day and at most a million");
    }
    return rate;
}

Result<RedriveCall> parse_redrive_dead_letters(const http::HttpRequest& request) {
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    RedriveCall call{.rate_per_second = rate_of(body)};
    const std::optional<std::int64_t> trial = body.integer("trial");
    if (trial && *trial < 1) body.refuse("trial", "trial must be a number from 1 on");
    Result<HandleExecutions> asked = parse_dead_letters(request, body);
    if (!asked) return asked.error();
    call.asked = std::move(*asked);
    if (trial) call.asked.count_max = std::min(call.asked.count_max, *trial);
    return call;
}

// A rate spreads them: the n-th begins so much later than the first.
std::optional<Instant> begin_of(const RedriveCall& call, Instant now, std::int64_t n) {
    if (!call.rate_per_second) return std::nullopt;
    const std::chrono::duration<double> wait(static_cast<double>(n) / *call.rate_per_second);
    return now + std::chrono::duration_cast<Duration>(wait);
}

http::HttpResponse redriven_response(const HandledExecutions& handled) {
    std::string body = R"({"redriven":)";
    json::append_integer(body, std::ssize(handled.done));
    append_key(body, "executions");
    body += '[';
    for (const HandledExecutions::Done& each : handled.done) {
        if (body.back() != '[') body += ',';
        body += R"({"id":)";
        append_id(body, each.id.value);
        append_id(body, "executionId", each.result.value);
        append_flag(body, "newExecution", each.result != each.id);
        body += '}';
    }
    body += ']';
    append_outcome(body, handled);
    return json_response(200, std::move(body));
}

}  // namespace

http::Handler redrive_dead_letters_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<RedriveCall> call = parse_redrive_dead_letters(request);
        if (!call) return answer_error(respond, call.error());
        const Redrive redrive{.actor = actor_of(request), .requested_by = requested_by(request)};
        const auto redrive_one = [context, respond, redrive, call = *call,
                                  now = context.clock.now()](
                                     const ExecutionKey& key, std::int64_t n,
                                     std::function<void(const Result<ExecutionId>&)> done) {
            Redrive own = redrive;
            own.not_before = begin_of(call, now, n);
            submit_redrive(context, respond, own, {key.id, key.workspace_id},
                           [done = std::move(done)](const Result<Execution>& redriven) {
                               if (!redriven) return done(redriven.error());
                               done(redriven->key.id);
                           });
        };
        handle_executions(call->asked, context.queries, redrive_one,
                          answer_with<HandledExecutions>(respond, redriven_response));
    };
}

}  // namespace millrace::rest
