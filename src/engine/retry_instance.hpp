#pragma once

#include "commit/command.hpp"

namespace millrace {

// Lets a FAILED instance go on: the step that failed is entered again with all its tries, and so
// are its siblings that the failure has stopped. Answers with the instance.
struct RetryInstance {
    static constexpr std::string_view kName = "instance.retry";

    InstanceKey instance{};
};

Footprint footprint(const RetryInstance& command);
Result<Decision<Instance>> decide(const RetryInstance& command, const WorkingSet& rows,
                                  Instant now);

}  // namespace millrace
