#include "queue/left_runs.hpp"

namespace millrace {

namespace {

constexpr std::size_t kRunsMax = 100'000;  // Some hundred bytes each.

}  // namespace

void LeftRuns::add(const RunPtr& run, const RunPlace& place, Instant until) {
    const ExecutionId id = run->execution.key.id;
    forget(id);
    if (runs_.size() >= kRunsMax) return;
    runs_.emplace(id, Left{run, place, until});
    ends_.emplace(until, id);
    counts_[place] += 1;
}

void LeftRuns::forget(ExecutionId id) {
    const auto found = runs_.find(id);
    if (found == runs_.end()) return;
    ends_.erase({found->second.until, id});
    const auto count = counts_.find(found->second.place);
    if (--count->second == 0) counts_.erase(count);
    runs_.erase(found);
}

void LeftRuns::forget_until(Instant now) {
    while (!ends_.empty() && ends_.begin()->first <= now) forget(ends_.begin()->second);
}

RunPtr LeftRuns::find(ExecutionId id) const {
    const auto found = runs_.find(id);
    return found == runs_.end() ? nullptr : found->second.run;
}

std::vector<RunPlace> LeftRuns::places() const {
    std::vector<RunPlace> places;
    places.reserve(counts_.size());
    for (const auto& [place, count] : counts_) places.push_back(place);
    return places;
}

}  // namespace millrace
