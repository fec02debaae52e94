#include "api/rest/job_json.hpp"

#include "api/rest/json_fields.hpp"
#include "api/rest/wire_json.hpp"
#include "base/json/write.hpp"

namespace millrace::rest {

namespace {

// Its lease names the try: the worker was told the same number as `attempt`.
void append_try(std::string& out, const Try& ended) {
    out += R"({"attempt":)";
    json::append_integer(out, ended.lease_token);
    append_text(out, "outcome", to_string(ended.outcome));
    append_text(out, "workerId", ended.worker_id.value);
    append_integer(out, "leaseToken", ended.lease_token);
    if (ended.started_at) append_instant(out, "startedAt", *ended.started_at);
    append_instant(out, "endedAt", ended.ended_at);
    if (!ended.message.empty()) append_text(out, "message", ended.message);
    out += '}';
}

// What the engine keeps back waits like the others, only longer.
std::string_view shown_status(const Job& job) {
    return to_string(is_kept_back(job) ? JobState::unlocked : job.status);
}

void append_members(std::string& out, const Job& job) {
    append_id(out, job.key.id.value);
    append_text(out, "workspaceId", job.key.workspace_id.value);
    append_id(out, "instanceId", instance_of(job.key.id).value);
    append_id(out, "stepExecutionId", step_execution_of(job.key.id).value);
    append_text(out, "stepId", job.step_id);
    append_text(out, "jobType", job.job_type.value);
    append_text(out, "status", shown_status(job));
    append_integer(out, "retriesRemaining", job.retries_remaining);
    append_integer(out, "attempt", job.lease_token);
    append_instant(out, "createdAt", job.created_at);
    if (!job.lease) return;
    if (!is_kept_back(job)) {
        append_text(out, "workerId", job.lease->worker_id.value);
        append_instant(out, "lockedAt", job.lease->locked_at);
        append_instant(out, "lockExpiresAt", job.lease->lock_expires_at);
    } else if (job.lease->lock_expires_at < kEndOfTime) {
        append_instant(out, "availableAt", job.lease->lock_expires_at);
    }
}

}  // namespace

void append_tries(std::string& out, const std::vector<Try>& tries) {
    out += R"(,"tries":[)";
    for (const Try& ended : tries) {
        if (out.back() != '[') out += ',';
        append_try(out, ended);
    }
    out += ']';
}

void append_job_view(std::string& out, const JobView& view) {
    out += R"({"id":)";
    append_members(out, view.job);
    append_tries(out, view.tries);
    out += '}';
}

void append_open_job(std::string& out, const Job& job) {
    out += R"({"id":)";
    append_members(out, job);
    out += '}';
}

}  // namespace millrace::rest
