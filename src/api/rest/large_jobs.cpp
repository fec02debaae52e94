#include "api/rest/large_jobs.hpp"

#include <functional>
#include <utility>

namespace millrace::rest {

namespace {

constexpr std::size_t kLargeJobsHalfMax = 1'000;  // Some 200 kB in both, 4 GB of variables.

}  // namespace

void LargeJobs::note(JobId id, std::string_view variables, Measure measure) {
    const Fingerprint noted = fingerprint(variables, measure);
    const MutexLock lock(mutex_);
    if (newer_.size() >= kLargeJobsHalfMax) older_ = std::exchange(newer_, {});
    newer_.insert_or_assign(id, noted);
}

bool LargeJobs::is_known(JobId id, std::string_view variables, Measure measure) const {
    Fingerprint noted;
    {
        const MutexLock lock(mutex_);
        const auto newer = newer_.find(id);
        const auto older = older_.find(id);
        if (newer != newer_.end()) {
            noted = newer->second;
        } else if (older != older_.end()) {
            noted = older->second;
        } else {
            return false;
        }
    }
    if (noted.bytes != variables.size() || noted.measure != measure) return false;
    return noted == fingerprint(variables, measure);
}

LargeJobs::Fingerprint LargeJobs::fingerprint(std::string_view variables, Measure measure) {
    return {variables.size(), std::hash<std::string_view>{}(variables), measure};
}

}  // namespace millrace::rest
