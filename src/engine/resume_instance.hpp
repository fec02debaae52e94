#pragma once

#include "commit/command.hpp"

namespace millrace {

// Lets a suspended instance go on, and answers with it. One that is not suspended stays as it is.
struct ResumeInstance {
    static constexpr std::string_view kName = "instance.resume";

    InstanceKey instance{};
};

Footprint footprint(const ResumeInstance& command);
Result<Decision<Instance>> decide(const ResumeInstance& command, const WorkingSet& rows,
                                  Instant now);

}  // namespace millrace
