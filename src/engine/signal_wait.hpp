#pragma once

#include <string>

#include "base/json/value.hpp"
#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Ends the wait of an instance at a WAIT step, merges the variables, runs the instance on and
// answers with it.
struct SignalWait {
    static constexpr std::string_view kName = "instance.signal_wait";

    InstanceKey instance{};
    std::string step_id{};
    json::Value variables{};  // An object, or null for none.
};

Footprint footprint(const SignalWait& command);
Result<Decision<Instance>> decide(const SignalWait& command, const WorkingSet& rows, Instant now);
AuditNote audit_note(const SignalWait& command, const Instance& instance);

}  // namespace millrace
