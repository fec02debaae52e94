#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace millrace {

// 128 bits that say where a thing belongs:
//
//     | milliseconds 48 | random 48 | sequence 32 |
//
// The first two parts are those of the instance. Sequence 0 is the instance itself; its jobs, tasks
// and timers take the next numbers from the instance's counter, so the core mints ids without dice
// and any id leads to its instance. Sorted by bits = sorted by text = order of birth.
struct Id128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    static Id128 for_instance(Instant created_at, std::uint64_t random);

    constexpr std::uint32_t sequence() const { return static_cast<std::uint32_t>(low); }
    constexpr Id128 with_sequence(std::uint32_t sequence) const {
        return {high, (low & ~std::uint64_t{0xFFFF'FFFF}) | sequence};
    }

    friend constexpr auto operator<=>(const Id128&, const Id128&) = default;
};

// The smallest id of that time or later.
Id128 first_id_at(Instant time);

// 26 characters of Crockford's base 32. Only what to_string gives out is parsed: no lower case, no
// look-alike letters, so that one id has one spelling.
std::string to_string(Id128 id);
std::optional<Id128> parse_ulid(std::string_view text);

// An id of one kind of thing, so that a JobId cannot be passed where an InstanceId is due.
template <class Tag>
struct Id {
    Id128 value{};

    friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using InstanceId = Id<struct InstanceTag>;
using StepExecutionId = Id<struct StepExecutionTag>;
using JobId = Id<struct JobTag>;
using UserTaskId = Id<struct UserTaskTag>;
using TimerId = Id<struct TimerTag>;
using AuditEntryId = Id<struct AuditEntryTag>;  // Of no instance: sequence 0.
using ExecutionId = Id<struct ExecutionTag>;    // Sequence 0, as an instance.

template <class Tag>
constexpr InstanceId instance_of(Id<Tag> id) {
    return {id.value.with_sequence(0)};
}

// The job or user task of a step execution takes the number right behind it, so that one leads to
// the other without a column or an index for it (docs/adr/0001).
constexpr JobId job_of(StepExecutionId id) {
    return {id.value.with_sequence(id.value.sequence() + 1)};
}
constexpr UserTaskId user_task_of(StepExecutionId id) {
    return {id.value.with_sequence(id.value.sequence() + 1)};
}
template <class Tag>
constexpr StepExecutionId step_execution_of(Id<Tag> id) {
    return {id.value.with_sequence(id.value.sequence() - 1)};
}

// The same for things that users name themselves.
template <class Tag>
struct Name {
    std::string value{};

    friend auto operator<=>(const Name&, const Name&) = default;
};

using WorkspaceId = Name<struct WorkspaceTag>;
using WorkerId = Name<struct WorkerTag>;
using JobType = Name<struct JobTypeTag>;

}  // namespace millrace
