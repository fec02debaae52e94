#pragma once

#include "base/trace_context.hpp"
#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Starts an instance of the named version of a definition, or of its latest (version 0), and
// answers with the instance as it stands once every token waits for somebody.
struct StartInstance {
    static constexpr std::string_view kName = "instance.start";

    InstanceKey key{};  // Sequence 0, minted by the caller.
    std::string definition_id{};
    std::int32_t definition_version = 0;
    Variables variables{};
    std::string business_key{};
    TraceContext trace{};  // Of the request; absent for none.
};

Footprint footprint(const StartInstance& command);
Result<Decision<Instance>> decide(const StartInstance& command, const WorkingSet& rows,
                                  Instant now);
AuditNote audit_note(const StartInstance& command, const Instance& instance);

// What a repeated start is answered with.
inline InstanceId instance_started_by(const StartInstance& command) {
    return command.key.id;
}

}  // namespace millrace
