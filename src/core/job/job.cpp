#include "core/job/job.hpp"

#include <algorithm>
#include <array>

namespace millrace {

namespace {

constexpr std::array<std::string_view, 5> kJobStates = {"UNLOCKED", "LOCKED", "COMPLETED", "FAILED",
                                                        "CANCELLED"};

}  // namespace

std::string_view to_string(JobState state) {
    return kJobStates.at(static_cast<std::size_t>(state));
}

std::optional<JobState> parse_job_state(std::string_view text) {
    const auto found = std::ranges::find(kJobStates, text);
    if (found == kJobStates.end()) return std::nullopt;
    return static_cast<JobState>(found - kJobStates.begin());
}

}  // namespace millrace
