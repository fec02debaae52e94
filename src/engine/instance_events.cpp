#include "engine/instance_events.hpp"

#include <algorithm>
#include <tuple>

#include "engine/find_instance.hpp"

namespace millrace {

namespace {

std::uint32_t sequence_of(const StepExecution& step) {
    return step.key.id.value.sequence();
}

}  // namespace

// Time never runs backwards for one instance, so what was seen closed before stays a beginning of
// this order.
std::vector<StepEvent> events_since(const InstanceHistory& history, EventPlace place) {
    std::vector<StepExecution> closed = history.closed;
    std::ranges::sort(closed, {}, [](const StepExecution& step) {
        return std::tuple(step.ended_at.value_or(Instant{}), sequence_of(step));
    });
    std::vector<StepEvent> events;
    for (std::size_t i = place.closed; i < closed.size(); ++i) {
        place.closed += 1;
        events.push_back({std::move(closed[i]), place});
    }
    // Sequence numbers grow with every entry, so the last one seen tells all that were.
    const std::uint32_t seen = place.entered;
    for (StepExecution& step : open_step_executions(history.instance)) {
        if (sequence_of(step) <= seen) continue;
        place.entered = std::max(place.entered, sequence_of(step));
        events.push_back({std::move(step), place});
    }
    return events;
}

Result<InstanceHistory> read(const GetInstanceHistory& query, Reader& reader) {
    Result<std::optional<InstanceHistory>> found = reader.history(query.key);
    if (!found) return found.error();
    if (!*found) return instance_not_found(query.key);
    return std::move(**found);
}

}  // namespace millrace
