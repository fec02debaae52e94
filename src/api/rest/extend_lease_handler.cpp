#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/job_calls.hpp"
#include "api/rest/seconds.hpp"
#include "api/rest/wire_json.hpp"
#include "engine/extend_lease.hpp"

namespace millrace::rest {

namespace {

Result<ExtendLease> parse_extend_lease(const http::HttpRequest& request, const JobKey& key,
                                       UnreadFields& unread) {
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    ExtendLease command{.job = key, .proof = lease_proof_of(body)};
    command.lease_duration = lease_duration_of(body);
    if (!body.finish(unread)) return body.error();
    return command;
}

// The engine extends only what is leased.
http::HttpResponse extended_response(const Job& job) {
    std::string body = R"({"id":)";
    append_id(body, job.key.id.value);
    body += R"(,"leaseToken":)";
    json::append_integer(body, job.lease_token);
    body += R"(,"lockExpiresAt":)";
    append_time(body, job.lease.value().lock_expires_at);
    body += '}';
    return json_response(200, std::move(body));
}

}  // namespace

http::Handler extend_lease_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& answer) {
        const Result<SoughtJob> job = job_in_path(request, "id");
        if (!job) return answer_error(answer, job.error());
        UnreadFields unread(request);
        Result<ExtendLease> command = parse_extend_lease(request, job->key, unread);
        const http::Responder respond = unread.told_by(answer);
        if (!command) return answer_error(respond, command.error());
        submit_job_command(context, respond, job->lookup, std::move(*command),
                           answer_with<Job>(respond, extended_response));
    };
}

}  // namespace millrace::rest
