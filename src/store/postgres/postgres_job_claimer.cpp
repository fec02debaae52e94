#include "store/postgres/postgres_job_claimer.hpp"

#include <algorithm>

#include "store/postgres/decode.hpp"

namespace millrace::postgres {

namespace {

constexpr const char* kBeginReading = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY";

Call claim_call(const ClaimJobs& request) {
    Parameters p;
    const Instant now = request.now();
    p.add(std::string_view(request.workspace_id.value));
    p.add(std::string_view(request.job_type.value));
    p.add(request.seq_after);
    p.add(static_cast<std::int64_t>(request.slots.size()));
    p.add_column(request.slots,
                 [](const ClaimSlot& slot) -> std::string_view { return slot.worker_id.value; });
    p.add_column(request.slots,
                 [now](const ClaimSlot& slot) -> Instant { return now + slot.lease_duration; });
    p.add(now);
    p.add(request.bytes_max);
    p.add_column(request.passed_over, [](JobId id) -> Id128 { return id.value; });
    return call(sql::claim_jobs, std::move(p));
}

// The last field has the variables of the instance when the job has none of its own.
Result<DeliveredJob> decode_delivered(Fields fields) {
    Result<Job> job = decode_job(fields);
    if (!job) return job.error();
    const std::optional<std::string_view> of_instance = fields.optional_text();
    Variables variables = job->variables.value_or(Variables{});
    if (of_instance) variables = Variables::from_text(std::string(*of_instance));
    return DeliveredJob{.job = std::move(*job), .variables = std::move(variables)};
}

}  // namespace

PostgresJobClaimer::PostgresJobClaimer(PostgresOptions options)
    : options_(std::move(options)), connection_(connection_options(options_)) {}

Result<std::vector<DeliveredJob>> PostgresJobClaimer::claim_jobs(const ClaimJobs& request) {
    std::vector<DeliveredJob> jobs;
    others_were_faster_ = false;
    if (request.slots.empty()) return jobs;
    const Result<std::vector<Rows>> answers = run(kBeginWriting, claim_call(request));
    if (!answers) return answers.error();

    const Rows& claimed = answers->front();
    others_were_faster_ = claimed.size() == 1 && claimed.bytes(0, 0) == nullptr;
    if (others_were_faster_) return jobs;
    jobs.reserve(static_cast<std::size_t>(claimed.size()));
    for (int i = 0; i < claimed.size(); ++i) {
        // A corrupt row keeps its lease and hurts nobody else.
        Result<DeliveredJob> job = decode_delivered(Fields(claimed, i));
        if (job) jobs.push_back(std::move(*job));
    }
    std::ranges::sort(jobs, {}, [](const DeliveredJob& delivered) { return delivered.job.seq; });
    return jobs;
}

Result<std::vector<WaitingType>> PostgresJobClaimer::waiting_types(
    const std::vector<JobType>& job_types) {
    Parameters p;
    p.add_column(job_types, [](const JobType& type) -> std::string_view { return type.value; });
    const Result<std::vector<Rows>> answers =
        run(kBeginReading, call(sql::waiting_types, std::move(p)));
    if (!answers) return answers.error();
    const Rows& waiting = answers->front();
    std::vector<WaitingType> types;
    for (int i = 0; i < waiting.size(); ++i) {
        Fields fields(waiting, i);
        WaitingType& type = types.emplace_back();
        type.workspace_id.value = fields.text();
        type.job_type.value = fields.text();
    }
    std::ranges::sort(types);
    return types;
}

Result<std::vector<Rows>> PostgresJobClaimer::run(const char* begin, Call work) {
    std::vector<Call> calls;
    calls.push_back(std::move(work));
    return run_transaction(connection_, begin, options_, std::move(calls));
}

}  // namespace millrace::postgres
