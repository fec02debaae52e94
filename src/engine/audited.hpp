#pragma once

#include <optional>

#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Who asks for a command, and the id of the entry that will say so; minted by the caller.
struct AuditTrail {
    AuditKey key{};
    Actor actor{};
};

// A command that leaves an audit entry when it changes something: one, in the same transaction.
// What the entry says, audit_note() of the command knows. Without a trail this is the command as it
// is.
template <class Request>
struct Audited {
    static constexpr std::string_view kName = Request::kName;
    static constexpr bool kIsBulky = is_bulky_request<Request>();

    Request request{};
    std::optional<AuditTrail> trail{};
};

template <class Request>
Footprint footprint(const Audited<Request>& command) {
    return footprint(command.request);
}

template <class Request>
Result<Decision<AnswerOf<Request>>> decide(const Audited<Request>& command, const WorkingSet& rows,
                                           Instant now) {
    Result<Decision<AnswerOf<Request>>> decision = decide(command.request, rows, now);
    if (!decision || !command.trail || decision->effects.empty()) return decision;
    AuditNote note = audit_note(command.request, decision->answer);
    AuditKey key = command.trail->key;
    if (note.workspace_id) key.workspace_id = std::move(*note.workspace_id);
    decision->effects.audit_entries.push_back({
        .key = std::move(key),
        .at = now,
        .kind = note.kind,
        .actor = command.trail->actor,
        .instance_id = note.instance_id,
        .subject = std::move(note.subject),
        .details = details_text(note.details),
    });
    return decision;
}

// For Idempotent: what a start has started.
template <class Request>
requires requires(const Request& request) {
    instance_started_by(request);
}
InstanceId instance_started_by(const Audited<Request>& command) {
    return instance_started_by(command.request);
}

}  // namespace millrace
