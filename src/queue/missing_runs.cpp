#include "queue/missing_runs.hpp"

namespace millrace {

namespace {

constexpr std::size_t kMissingMax = 10'000;  // More than these are looked for later.

}  // namespace

bool MissingRuns::add(ExecutionId id, Instant now) {
    if (missing_.size() >= kMissingMax) forget_old(now);
    if (missing_.size() >= kMissingMax && !missing_.contains(id)) return false;
    Missing& missing = missing_[id];
    if (missing.looks == 0) missing.since = now;
    missing.last_at = now;
    missing.looks += 1;
    return missing.looks >= settings_.missing_looks && now - missing.since >= settings_.missing_for;
}

// Of what another replica looks for by now.
void MissingRuns::forget_old(Instant now) {
    std::erase_if(missing_, [&](const auto& each) {
        return now - each.second.last_at > settings_.missing_for;
    });
}

}  // namespace millrace
