#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "commit/command_queue.hpp"

namespace millrace {

// Commands on their way to the committers. Those that nobody waits for may wait for company, so
// that they share a commit: the answers of a busy target come one by one, and a commit each would
// cost the database more than the rest of a start. Belongs to one thread at a time.
class GatheredCommands {
public:
    // `patience`: how long a command waits at most.
    GatheredCommands(CommandQueue& queue, Duration patience) : queue_(queue), patience_(patience) {}

    enum class Urgency { at_once, can_wait };

    void add(std::unique_ptr<Command> command, Urgency urgency, Instant now);

    // Hands everything over, unless all of it can wait and more is expected to come.
    void hand_over(bool expects_more, Instant now);

    // When something has waited long enough.
    std::optional<Instant> next_at() const;

private:
    CommandQueue& queue_;
    const Duration patience_;
    std::vector<std::unique_ptr<Command>> waiting_;
    Instant until_{};  // Of the first that waits.
};

}  // namespace millrace
