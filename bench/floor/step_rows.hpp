#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace millrace::bench {

using IdBytes = std::array<unsigned char, 16>;

// The rows of one step: an instance, its step execution and its job. Ids grow as ours do: time
// first, then random bits, then the number within the instance.
struct StepRows {
    IdBytes instance_id{};
    IdBytes step_execution_id{};
    IdBytes job_id{};
};

// As long as those that the load driver sends and the engine writes for it.
inline constexpr std::string_view kVariables = R"({"orderId":1234567,"amount":99.5})";
inline constexpr std::string_view kStateOpen =
    R"({"sequence":2,"openSteps":[{"sequence":1,"stepId":"work","type":"SERVICE_TASK",)"
    R"("startedAt":1767225600000000}],"visits":[{"stepId":"work","count":1}]})";
inline constexpr std::string_view kStateClosed =
    R"({"sequence":2,"visits":[{"stepId":"work","count":1}]})";
inline constexpr std::string_view kTries =
    R"([{"workerId":"bench-1","leaseToken":1,"startedAt":1767225600000000,)"
    R"("endedAt":1767225600001000,"outcome":"COMPLETED"}])";
inline constexpr std::string_view kWorkerId = "bench-1";

std::vector<StepRows> mint_steps(std::size_t count, std::int64_t now_milliseconds);

}  // namespace millrace::bench
