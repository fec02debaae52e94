#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace::bench {

inline constexpr std::string_view kDefinitionsPath = "/v1/definitions";
inline constexpr std::string_view kStartPath = "/v1/instances";
inline constexpr std::string_view kStartBatchPath = "/v1/instances:batch";
inline constexpr std::string_view kPollPath = "/v1/jobs/poll";
inline constexpr std::string_view kCompleteBatchPath = "/v1/jobs/complete";

struct ClaimedJob {
    std::string id{};
    std::string lease_token{};
};

// A workflow of `step_count` service tasks in a row and an end; its id is its job type.
std::string definition(std::string_view job_type, int step_count);
std::string start(std::string_view job_type);
std::string start_batch(std::string_view job_type, int count);
std::string enqueue_path(std::string_view workspace);
std::string enqueue_batch_path(std::string_view workspace);
std::string enqueue(std::string_view definition_id);
std::string enqueue_batch(std::string_view definition_id, int count);
std::string poll(std::string_view job_type, int jobs_max, int wait_seconds);
std::string complete_path(const ClaimedJob& job);
std::string complete(const ClaimedJob& job);
std::string complete_batch(const std::vector<ClaimedJob>& jobs);

std::vector<ClaimedJob> jobs_in(std::string_view poll_answer);
// Throws when one of the results of a batch call is no success.
void expect_successes(std::string_view batch_answer, std::size_t count);

}  // namespace millrace::bench
