#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/trace_context.hpp"
#include "commit/command.hpp"

namespace millrace {

// Where a command comes from, for those who follow a trace.
struct CommandTrace {
    TraceContext request{};
    Instant submitted_at{};  // Only known when the request is recorded.
};

// Commands of different lanes never share a batch. A command comes on one of the first two; a
// committer may move it to one of the others.
enum class Lane {
    request,     // Somebody waits for the answer.
    background,  // Timers, leases, retention and other duties: the process asks itself.
    alone,       // Deciding took long by the wall clock: one such command is a batch.
    locked,      // Somebody else had one of their rows: they look before they load.
};

struct TenantLine;

// A command on its way, from its submission to its answer.
struct Ticket {
    std::unique_ptr<Command> command{};
    CommandTrace trace{};
    Status verdict = ok();  // What was decided in the latest try of its batch,
    std::optional<InstanceKey> instance_moved{};  // and on what; only when its trace is recorded.

    Lane home = Lane::request;          // Where it came from.
    std::uint64_t number = 0;           // In the order of arrival.
    Instant taken_at{};                 // By the first committer that had it.
    Instant deadline = Instant::max();  // Answered then, whatever has become of it.
    std::vector<Id128> holds{};         // Footprint::holds of its rows.
    bool is_answered = false;           // At its deadline, while its commit is still in doubt.
    bool is_slow = false;               // Its latest decision took long by the wall clock.
    bool is_put_back = false;           // It was taken before, and waits in its line again.

    // What its workspace pays for it: at first as much as its commands cost lately.
    TenantLine* line = nullptr;
    std::int64_t work_charged = 0;
    std::int64_t work = 0;   // Of the latest decision, in the units of core/work_meter.hpp.
    std::int64_t bytes = 0;  // Loaded for it and written by it, about.

    Instant parked_until{};  // On the lane of the locked.
};

}  // namespace millrace
