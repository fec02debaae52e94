#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "base/time.hpp"

namespace millrace {

// What somebody did. On the wire and in the database these are DEFINITION_UPLOADED and so on. What
// happens to jobs is not among them: it is read from history.
enum class AuditKind {
    definition_uploaded,
    instance_started,
    instance_cancelled,
    instance_retried,
    instance_suspended,
    instance_resumed,
    variables_changed,
    signal_received,
    user_task_claimed,
    user_task_unclaimed,
    user_task_assigned,
    user_task_completed,
    key_created,
    key_revoked,
    backup_taken,
    execution_enqueued,
    execution_cancelled,
    execution_reported,
    execution_redriven,
    execution_retried,
    execution_resumed,
    execution_dismissed,
    execution_purged,
    execution_recovered,
    workspace_created,
    workspace_changed,
    workspace_deleted,
};

std::string_view to_string(AuditKind kind);
std::optional<AuditKind> parse_audit_kind(std::string_view text);

// Who asked, and from where. Without authentication nobody is named.
struct Actor {
    std::string key_id{};    // Of the API key; empty when there was none.
    std::string key_name{};  // As it was called then.
    std::string remote_address{};
    std::string request_id{};

    friend bool operator==(const Actor&, const Actor&) = default;
};

// Sorted by id: ids grow with time.
struct AuditKey {
    AuditEntryId id{};
    WorkspaceId workspace_id{};

    friend auto operator<=>(const AuditKey&, const AuditKey&) = default;
};

// One command that has changed something. Written in the transaction of the change, never changed.
struct AuditEntry {
    AuditKey key{};
    Instant at{};
    AuditKind kind = AuditKind::instance_started;
    Actor actor{};
    std::optional<InstanceId> instance_id{};
    std::string subject{};  // What it was done to: an id or a name; empty for the instance itself.
    std::string details{};  // A JSON object as text, or nothing. Names of variables, never values.

    friend bool operator==(const AuditEntry&, const AuditEntry&) = default;
};

// The entry of a start has the id of what it has started, which is found by it, and so needs no
// second index: there is one such entry for each instance. Stores keep the instance of any other.
inline std::optional<InstanceId> kept_instance_id(const AuditEntry& entry) {
    const bool is_its_own = entry.instance_id && entry.instance_id->value == entry.key.id.value;
    return is_its_own ? std::nullopt : entry.instance_id;
}
inline void restore_instance_id(AuditEntry& entry) {
    if (entry.kind == AuditKind::instance_started && !entry.instance_id) {
        entry.instance_id = InstanceId{entry.key.id.value};
    }
}

}  // namespace millrace
