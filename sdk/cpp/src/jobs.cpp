#include <algorithm>

#include "base/json/write.hpp"
#include "error_reply.hpp"
#include "lists.hpp"
#include "millrace/client/client.hpp"
#include "query.hpp"
#include "transport.hpp"

namespace millrace::client {
namespace {

// Calls about a job may be repeated: id and lease token name the claim they are for.
Request job_request(std::string target, const json::Value& body) {
    return {.method = "POST",
            .target = std::move(target),
            .body = json::write(body),
            .repeatable = true};
}

std::string job_target(const JobClaim& claim, std::string_view verb) {
    return "/v1/jobs/" + percent_encoded(claim.job_id) + "/" + std::string(verb);
}

json::Value body_of(const JobClaim& claim) {
    json::Value body = json::Object{};
    if (!claim.worker_id.empty()) body.set("workerId", claim.worker_id);
    if (claim.lease_token) body.set("leaseToken", *claim.lease_token);
    return body;
}

json::Value body_of(const CompleteJob& job) {
    json::Value body = body_of(job.claim);
    body.set("variables", job.variables);
    return body;
}

json::Value body_of(const FailJob& job) {
    json::Value body = body_of(job.claim);
    body.set("errorMessage", job.error_message);
    body.set("retryable", job.retryable);
    if (job.retry_after) body.set("retryAfterSeconds", std::int64_t{job.retry_after->count()});
    return body;
}

json::Value body_of(const ReleaseJob& job) {
    json::Value body = body_of(job.claim);
    if (job.delay.count() != 0) body.set("delaySeconds", std::int64_t{job.delay.count()});
    if (!job.reason.empty()) body.set("reason", job.reason);
    return body;
}

Request within(Duration duration, Request request) {
    request.duration_max = duration;
    return request;
}

// Without a token a repeated fail or release could hit the next holder.
template <class Item>
bool names_its_claim(const Item& job) {
    return job.claim.lease_token.has_value();
}

template <class Item>
json::Value batch_body(const std::vector<Item>& jobs) {
    json::Array items;
    items.reserve(jobs.size());
    for (const Item& job : jobs) {
        json::Value item = body_of(job);
        item.set("jobId", job.claim.job_id);
        items.push_back(std::move(item));
    }
    json::Value body = json::Object{};
    body.set("jobs", std::move(items));
    return body;
}

Result<std::vector<Status>> batch_results(Result<json::Value> reply) {
    if (!reply) return reply.error();
    std::vector<Status> results;
    for (const Document& item : items_of<Document>(*reply, "results")) {
        const bool is_refused = item.integer("status") >= 300;
        results.push_back(is_refused ? Status(error_of_item(item.json())) : std::monostate{});
    }
    return results;
}

}  // namespace

JobClaim claim_of(const Job& job) {
    const std::int64_t* token = job.value("leaseToken").if_integer();
    return {.job_id = std::string(job.id()),
            .worker_id = std::string(job.worker_id()),
            .lease_token = token == nullptr ? std::nullopt : std::optional(*token)};
}

Result<std::vector<Job>> Client::poll_jobs(const PollJobs& poll) {
    json::Array types;
    for (const std::string& type : poll.job_types) types.emplace_back(type);
    json::Value body = json::Object{};
    body.set("workerId", poll.worker_id);
    body.set("jobTypes", std::move(types));
    body.set("maxJobs", poll.jobs_max);
    body.set("leaseSeconds", std::int64_t{poll.lease_duration.count()});
    body.set("waitSeconds", std::int64_t{poll.wait_duration.count()});

    // Jobs of an answer that got lost come back after their lease, repeated call or not.
    Request request = job_request("/v1/jobs/poll", body);
    request.extra_duration = poll.wait_duration;
    Result<json::Value> reply = transport_->call(request);
    if (!reply) return reply.error();
    return items_of<Job>(*reply, "jobs");
}

Result<Page<Job>> Client::list_jobs(const ListJobs& query) {
    const Query parameters = Query()
                                 .add("instanceId", query.instance_id)
                                 .add("jobType", query.job_type)
                                 .add("status", query.status)
                                 .add("workerId", query.worker_id)
                                 .add(query.paging);
    Result<json::Value> reply =
        transport_->call({.target = "/v1/jobs" + parameters.text(), .repeatable = true});
    if (!reply) return reply.error();
    return page_of<Job>(std::move(*reply));
}

Result<Job> Client::get_job(std::string_view id) {
    Result<json::Value> reply =
        transport_->call({.target = "/v1/jobs/" + percent_encoded(id), .repeatable = true});
    if (!reply) return reply.error();
    return Job(std::move(*reply));
}

Status Client::complete_job(const CompleteJob& job, Duration duration) {
    return transport_->command(
        within(duration, job_request(job_target(job.claim, "complete"), body_of(job))));
}

Status Client::fail_job(const FailJob& job, Duration duration) {
    Request request = within(duration, job_request(job_target(job.claim, "fail"), body_of(job)));
    request.repeatable = names_its_claim(job);
    return transport_->command(request);
}

Status Client::release_job(const ReleaseJob& job, Duration duration) {
    Request request = within(duration, job_request(job_target(job.claim, "release"), body_of(job)));
    request.repeatable = names_its_claim(job);
    return transport_->command(request);
}

Status Client::extend_job(const JobClaim& claim, std::chrono::seconds lease_duration,
                          Duration duration) {
    json::Value body = body_of(claim);
    body.set("leaseSeconds", std::int64_t{lease_duration.count()});
    return transport_->command(within(duration, job_request(job_target(claim, "extend"), body)));
}

Result<std::vector<Status>> Client::complete_jobs(const std::vector<CompleteJob>& jobs) {
    return batch_results(transport_->call(job_request("/v1/jobs/complete", batch_body(jobs))));
}

Result<std::vector<Status>> Client::fail_jobs(const std::vector<FailJob>& jobs) {
    Request request = job_request("/v1/jobs/fail", batch_body(jobs));
    request.repeatable = std::ranges::all_of(jobs, names_its_claim<FailJob>);
    return batch_results(transport_->call(request));
}

Result<std::vector<Status>> Client::release_jobs(const std::vector<ReleaseJob>& jobs) {
    Request request = job_request("/v1/jobs/release", batch_body(jobs));
    request.repeatable = std::ranges::all_of(jobs, names_its_claim<ReleaseJob>);
    return batch_results(transport_->call(request));
}

}  // namespace millrace::client
