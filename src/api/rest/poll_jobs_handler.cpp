#include <algorithm>
#include <memory>

#include "api/access/key_gate.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/seconds.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "core/limits.hpp"

namespace millrace::rest {

namespace {

using Jobs = std::vector<DeliveredJob>;

std::vector<JobType> job_types_of(BodyReader& body) {
    const json::Array* array = body.array("jobTypes");
    if (array == nullptr || array->empty()) {
        body.refuse("jobTypes", "jobTypes must not be empty");
        return {};
    }
    std::vector<JobType> types;
    for (const json::Value& each : *array) {
        const std::string* type = each.if_string();
        const bool is_name = type != nullptr && !type->empty() &&
                             type->size() <= limits::kNameBytesMax &&
                             type->find('\0') == std::string::npos;
        if (!is_name) {
            body.refuse("jobTypes", "invalid request body: jobTypes must be strings of up to " +
                                        std::to_string(limits::kNameBytesMax) +
                                        " bytes without U+0000");
            return {};
        }
        types.push_back({*type});
    }
    std::ranges::sort(types);
    types.erase(std::unique(types.begin(), types.end()), types.end());
    if (types.size() > limits::kPollTypesMax) {
        body.refuse("jobTypes",
                    "jobTypes must be at most " + std::to_string(limits::kPollTypesMax));
    }
    return types;
}

std::int32_t jobs_max_of(std::optional<std::int64_t> asked) {
    if (!asked || *asked <= 0) return limits::kPollJobsDefault;
    return static_cast<std::int32_t>(std::min<std::int64_t>(*asked, limits::kPollJobsMax));
}

Result<PollJobs> parse_poll_jobs(const http::HttpRequest& request) {
    Result<std::optional<WorkspaceId>> scope = scope_of(request);
    if (!scope) return scope.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();

    BodyReader body(*object);
    PollJobs poll{.workspace_id = std::move(*scope)};
    poll.worker_id = {body.name("workerId")};
    if (poll.worker_id.value.empty()) body.refuse("workerId", "workerId is required");
    poll.job_types = job_types_of(body);
    poll.jobs_max = jobs_max_of(body.integer("maxJobs"));
    poll.lease_duration = lease_duration_of(body);
    poll.wait_duration =
        clamped_seconds(body.number("waitSeconds"), Duration(0), Duration(0), limits::kPollWaitMax);
    if (body.has_error()) return body.error();
    return poll;
}

http::HttpResponse jobs_response(const Jobs& jobs) {
    std::string body = R"({"jobs":[)";
    for (const DeliveredJob& delivered : jobs) {
        if (body.back() != '[') body += ',';
        append_job(body, delivered.job, delivered.variables);
    }
    body += "]}";
    return json_response(200, std::move(body));
}

// Their worker cannot say where they are from when it reports.
void note_workspaces(JobWorkspaces& workspaces, const Jobs& jobs) {
    for (const DeliveredJob& delivered : jobs) {
        const JobKey& key = delivered.job.key;
        workspaces.note(instance_of(key.id), key.workspace_id);
    }
}

// Jobs that cannot be sent are offered to others at once, not when their leases run out.
void answer_jobs(JobBroker& broker, const http::Responder& respond, Result<Jobs> jobs) {
    if (!jobs) return answer_error(respond, jobs.error());
    http::HttpResponse response = jobs_response(*jobs);
    if (!jobs->empty()) {
        const auto sent = std::make_shared<const Jobs>(std::move(*jobs));
        response.on_undelivered = [&broker, sent] {
            broker.offer_again(*sent);
        };
    }
    respond(std::move(response));
}

// What a poll needs of the Context: many wait at once.
struct PollContext {
    JobBroker& broker;
    const Clock& clock;
    access::KeyCache* keys = nullptr;
    std::shared_ptr<JobWorkspaces> workspaces{};
};

// The caller may have waited long: its key may have been revoked, or have expired, since it was
// asked for. Then others get the jobs.
void answer_if_welcome(const PollContext& context, const Principal& principal,
                       const http::Responder& respond, Jobs jobs) {
    const auto kept = std::make_shared<Jobs>(std::move(jobs));
    context.keys->find(principal.key_id, [&broker = context.broker, &clock = context.clock, respond,
                                          kept](const Result<access::KnownKeyPtr>& known) {
        if (known && *known && is_good((*known)->key, clock.now())) {
            return answer_jobs(broker, respond, std::move(*kept));
        }
        broker.offer_again(*kept);
        if (!known) return answer_error(respond, known.error());
        respond(access::unauthenticated_response(respond.request_id()));
    });
}

}  // namespace

http::Handler poll_jobs_handler(const Context& context) {
    const PollContext kept{context.broker, context.clock, context.keys, context.job_workspaces};
    return [kept](const http::HttpRequest& request, const http::Responder& respond) {
        Result<PollJobs> poll = parse_poll_jobs(request);
        if (!poll) return answer_error(respond, poll.error());
        const bool is_of_all = !poll->workspace_id;
        const auto done = [kept, is_of_all, principal = request.principal,
                           respond](Result<Jobs> jobs) {
            if (jobs && is_of_all) note_workspaces(*kept.workspaces, *jobs);
            const bool is_checked = principal != nullptr && kept.keys != nullptr;
            if (is_checked && jobs && !jobs->empty()) {
                return answer_if_welcome(kept, *principal, respond, std::move(*jobs));
            }
            answer_jobs(kept.broker, respond, std::move(jobs));
        };
        const JobBroker::PollId id = kept.broker.poll(std::move(*poll), done);
        respond.on_client_gone([&broker = kept.broker, id] { broker.abandon(id); });
    };
}

}  // namespace millrace::rest
