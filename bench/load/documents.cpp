#include "load/documents.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace millrace::bench {

namespace {

constexpr std::string_view kWorkerId = "bench-1";

std::string_view text_until(std::string_view text, std::size_t begin, std::string_view ends) {
    const std::size_t end = text.find_first_of(ends, begin);
    if (end == std::string_view::npos) throw std::runtime_error("a job was cut off");
    return text.substr(begin, end - begin);
}

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

std::string many_of(std::string_view name, std::string_view one, int count) {
    std::string body = fmt::format(R"({{"{}":[)", name);
    for (int i = 0; i < count; ++i) body.append(i == 0 ? "" : ",").append(one);
    return body + "]}";
}

}  // namespace

std::string definition(std::string_view job_type, int step_count) {
    std::string steps;
    for (int i = 1; i <= step_count; ++i) {
        const std::string next = i < step_count ? fmt::format("work{}", i + 1) : "end";
        steps += fmt::format(R"({{"id":"work{}","name":"Work","type":"SERVICE_TASK",)"
                             R"("jobType":"{}","nextStep":"{}"}},)",
                             i, job_type, next);
    }
    return fmt::format(
        R"({{"id":"{}","name":"Bench","steps":[{}{{"id":"end","name":"End","type":"END"}}]}})",
        job_type, steps);
}

std::string start(std::string_view job_type) {
    return fmt::format(R"({{"definitionId":"{}","variables":{{"orderId":1234567,"amount":99.5}}}})",
                       job_type);
}

std::string start_batch(std::string_view job_type, int count) {
    return many_of("instances", start(job_type), count);
}

std::string enqueue_path(std::string_view workspace) {
    return fmt::format("/v1/workspaces/{}/executions", workspace);
}

std::string enqueue_batch_path(std::string_view workspace) {
    return enqueue_path(workspace) + ":batch";
}

std::string enqueue(std::string_view definition_id) {
    return fmt::format(R"({{"definitionId":"{}","input":{{"orderId":1234567,"amount":99.5}}}})",
                       definition_id);
}

std::string enqueue_batch(std::string_view definition_id, int count) {
    return many_of("executions", enqueue(definition_id), count);
}

std::string poll(std::string_view job_type, int jobs_max, int wait_seconds) {
    return fmt::format(
        R"({{"workerId":"{}","jobTypes":["{}"],"maxJobs":{},"leaseSeconds":60,"waitSeconds":{}}})",
        kWorkerId, job_type, jobs_max, wait_seconds);
}

std::string complete_path(const ClaimedJob& job) {
    return fmt::format("/v1/jobs/{}/complete", job.id);
}

std::string complete(const ClaimedJob& job) {
    return fmt::format(R"({{"workerId":"{}","leaseToken":{}}})", kWorkerId, job.lease_token);
}

std::string complete_batch(const std::vector<ClaimedJob>& jobs) {
    std::string body = R"({"jobs":[)";
    for (const ClaimedJob& job : jobs) {
        if (body.back() != '[') body += ',';
        fmt::format_to(std::back_inserter(body),
                       R"({{"jobId":"{}","workerId":"{}","leaseToken":{}}})", job.id, kWorkerId,
                       job.lease_token);
    }
    return body + "]}";
}

// Finds the members by their names: our variables contain neither.
std::vector<ClaimedJob> jobs_in(std::string_view poll_answer) {
    constexpr std::string_view kId = R"("id":")";
    constexpr std::string_view kToken = R"("leaseToken":)";
    std::vector<ClaimedJob> jobs;
    std::size_t at = poll_answer.find(kId);
    while (at != std::string_view::npos) {
        const std::string_view id = text_until(poll_answer, at + kId.size(), "\"");
        const std::size_t token_at = poll_answer.find(kToken, at);
        const std::string_view token = text_until(poll_answer, token_at + kToken.size(), ",}");
        jobs.push_back({std::string(id), std::string(token)});
        at = poll_answer.find(kId, token_at);
    }
    return jobs;
}

void expect_successes(std::string_view batch_answer, std::size_t count) {
    const std::size_t successes = count_of(batch_answer, R"("status":20)");
    if (successes == count) return;
    throw std::runtime_error(fmt::format("{} of {} items succeeded: {}", successes, count,
                                         batch_answer.substr(0, 1'000)));
}

}  // namespace millrace::bench
