#pragma once

#include <cstdint>
#include <vector>

#include "store/reader.hpp"

namespace millrace {

// How far somebody has followed an instance: how many of its steps they have seen close, and the
// last one that they have seen entered. Both only grow, and so does their number.
struct EventPlace {
    std::uint32_t closed = 0;
    std::uint32_t entered = 0;

    std::uint64_t number() const { return (std::uint64_t{closed} << 32) | entered; }
    static EventPlace from_number(std::uint64_t number) {
        return {static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number)};
    }

    friend bool operator==(const EventPlace&, const EventPlace&) = default;
};

struct StepEvent {
    StepExecution step{};
    EventPlace place{};  // After it.
};

// What has happened since: steps that closed, in the order in which they did, then those that were
// entered and are open. A step that was entered and closed meanwhile comes once. Pure.
std::vector<StepEvent> events_since(const InstanceHistory& history, EventPlace place);

// not_found when there is no such instance.
struct GetInstanceHistory {
    InstanceKey key{};
};

Result<InstanceHistory> read(const GetInstanceHistory& query, Reader& reader);

}  // namespace millrace
