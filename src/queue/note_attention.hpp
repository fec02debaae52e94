#pragma once

#include "commit/command.hpp"

namespace millrace {

// The run of an execution was looked at and goes on: says when the next look is due.
struct NoteAttention {
    static constexpr std::string_view kName = "execution.note_attention";

    ExecutionKey key{};
    std::string run_id{};  // Of the run that goes on now; empty when nobody could tell.
    Instant due_at{};
    // What was passed on of a cancellation. One that was asked for since is due at once.
    std::optional<Instant> cancel_seen{};
    bool is_force_seen = false;
};

struct NotedAttention {
    bool is_noted = false;  // Else it is over, or was never running there.
};

Footprint footprint(const NoteAttention& command);
Result<Decision<NotedAttention>> decide(const NoteAttention& command, const WorkingSet& rows,
                                        Instant now);

}  // namespace millrace
