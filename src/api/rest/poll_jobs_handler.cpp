#include <algorithm>
#include <memory>

#include "api/access/key_gate.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/large_jobs.hpp"
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

Result<PollJobs> parse_poll_jobs(const http::HttpRequest& request, UnreadFields& unread) {
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
    if (!body.finish(unread)) return body.error();
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

// Of the jobs of a poll, those that its answer can hold, and those that others may have.
struct SortedJobs {
    Jobs sent{};
    Jobs kept{};
    Jobs never{};  // No answer to this kind of client can hold them.
};

// Besides its variables: ids, names, times.
constexpr std::size_t kJobFieldsBytes = 2 * limits::kNameBytesMax + 512;

// Of its variables; more than the client ever takes when that is known.
std::size_t bytes_sent(const DeliveredJob& each, const http::ClientTraits& client,
                       LargeJobs& large_jobs) {
    const std::string& text = each.variables.text();
    const LargeJobs::Measure measure = client.variables_bytes;
    if (measure == nullptr) return text.size();
    const JobId id = each.job.key.id;
    if (large_jobs.is_known(id, text, measure)) return client.jobs_bytes_max;
    const std::size_t bytes = measure(text);
    if (bytes > client.jobs_bytes_max - kJobFieldsBytes) large_jobs.note(id, text, measure);
    return bytes;
}

SortedJobs sort_out(Jobs jobs, const http::ClientTraits& client, LargeJobs& large_jobs) {
    SortedJobs sorted;
    std::size_t left = client.jobs_bytes_max;
    for (DeliveredJob& each : jobs) {
        const std::size_t bytes = bytes_sent(each, client, large_jobs);
        const bool fits_ever = bytes <= client.jobs_bytes_max - kJobFieldsBytes;
        if (!fits_ever && client.takes_larger_jobs && sorted.sent.empty()) {
            left = 0;
            sorted.sent.push_back(std::move(each));
        } else if (!fits_ever && !client.takes_larger_jobs) {
            sorted.never.push_back(std::move(each));
        } else if (bytes + kJobFieldsBytes > left) {
            sorted.kept.push_back(std::move(each));
        } else {
            left -= bytes + kJobFieldsBytes;
            sorted.sent.push_back(std::move(each));
        }
    }
    return sorted;
}

Error too_large_for_client(const DeliveredJob& job) {
    return {ErrorCode::too_large, "The job " + to_string(job.job.key.id.value) +
                                      " has larger variables than this protocol carries. Take jobs "
                                      "of the type " +
                                      job.job.job_type.value + " over REST."};
}

// What a poll needs of the Context: many wait at once.
struct PollContext {
    JobBroker& broker;
    const Clock& clock;
    access::KeyCache* keys = nullptr;
    std::shared_ptr<JobWorkspaces> workspaces{};
    std::shared_ptr<LargeJobs> large_jobs = std::make_shared<LargeJobs>();
};

// An answer that its client cannot read would cost its jobs a lease each time they are polled.
void answer_what_fits(const PollContext& context, const http::Responder& respond,
                      const http::ClientTraits& client, Result<Jobs> jobs) {
    JobBroker& broker = context.broker;
    if (!jobs || client.jobs_bytes_max == 0) return answer_jobs(broker, respond, std::move(jobs));
    SortedJobs sorted = sort_out(std::move(*jobs), client, *context.large_jobs);
    if (!sorted.kept.empty()) broker.offer_again(sorted.kept);
    if (!sorted.never.empty()) broker.offer_again(sorted.never);
    const bool is_only_too_large = sorted.sent.empty() && !sorted.never.empty();
    if (is_only_too_large) return answer_error(respond, too_large_for_client(sorted.never.front()));
    answer_jobs(broker, respond, std::move(sorted.sent));
}

// The caller may have waited long: its key may have been revoked, or have expired, since it was
// asked for. Then others get the jobs.
void answer_if_welcome(const PollContext& context, const Principal& principal,
                       const http::Responder& respond, const http::ClientTraits& client,
                       Jobs jobs) {
    const auto kept = std::make_shared<Jobs>(std::move(jobs));
    context.keys->find(principal.key_id,
                       [context, respond, client, kept](const Result<access::KnownKeyPtr>& known) {
                           if (known && *known && is_good((*known)->key, context.clock.now())) {
                               return answer_what_fits(context, respond, client, std::move(*kept));
                           }
                           context.broker.offer_again(*kept);
                           if (!known) return answer_error(respond, known.error());
                           respond(access::unauthenticated_response(respond.request_id()));
                       });
}

}  // namespace

http::Handler poll_jobs_handler(const Context& context) {
    const PollContext kept{context.broker, context.clock, context.keys, context.job_workspaces};
    return [kept](const http::HttpRequest& request, const http::Responder& answer) {
        UnreadFields unread(request);
        Result<PollJobs> poll = parse_poll_jobs(request, unread);
        const http::Responder respond = unread.told_by(answer);
        if (!poll) return answer_error(respond, poll.error());
        const bool is_of_all = !poll->workspace_id;
        const http::ClientTraits& client = request.client;
        if (client.jobs_bytes_max != 0)
            poll->bytes_max = static_cast<std::int64_t>(client.jobs_bytes_max);
        const auto done = [kept, is_of_all, client, principal = request.principal,
                           respond](Result<Jobs> jobs) {
            if (jobs && is_of_all) note_workspaces(*kept.workspaces, *jobs);
            const bool is_checked = principal != nullptr && kept.keys != nullptr &&
                                    principal->credential == Credential::key;
            if (is_checked && jobs && !jobs->empty()) {
                return answer_if_welcome(kept, *principal, respond, client, std::move(*jobs));
            }
            answer_what_fits(kept, respond, client, std::move(jobs));
        };
        const JobBroker::PollId id = kept.broker.poll(std::move(*poll), done);
        respond.on_client_gone([&broker = kept.broker, id] { broker.abandon(id); });
    };
}

}  // namespace millrace::rest
