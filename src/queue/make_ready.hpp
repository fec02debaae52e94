#pragma once

#include <optional>

#include "commit/command.hpp"

namespace millrace {

// The time of a waiting execution has come: it stands in line, or fails because its deadline has
// passed.
struct MakeReady {
    static constexpr std::string_view kName = "execution.make_ready";

    ExecutionKey key{};
};

struct MadeReady {
    bool is_ready = false;               // It is now, and was not: its workspace is to be woken.
    std::optional<Execution> expired{};  // It has failed.
};

Footprint footprint(const MakeReady& command);
Result<Decision<MadeReady>> decide(const MakeReady& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
