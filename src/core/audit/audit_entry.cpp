#include "core/audit/audit_entry.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace millrace {

namespace {

constexpr std::array<std::pair<AuditKind, std::string_view>, 27> kAuditKindNames{{
    {AuditKind::definition_uploaded, "DEFINITION_UPLOADED"},
    {AuditKind::instance_started, "INSTANCE_STARTED"},
    {AuditKind::instance_cancelled, "INSTANCE_CANCELLED"},
    {AuditKind::instance_retried, "INSTANCE_RETRIED"},
    {AuditKind::instance_suspended, "INSTANCE_SUSPENDED"},
    {AuditKind::instance_resumed, "INSTANCE_RESUMED"},
    {AuditKind::variables_changed, "VARIABLES_CHANGED"},
    {AuditKind::signal_received, "SIGNAL_RECEIVED"},
    {AuditKind::user_task_claimed, "USER_TASK_CLAIMED"},
    {AuditKind::user_task_unclaimed, "USER_TASK_UNCLAIMED"},
    {AuditKind::user_task_assigned, "USER_TASK_ASSIGNED"},
    {AuditKind::user_task_completed, "USER_TASK_COMPLETED"},
    {AuditKind::key_created, "KEY_CREATED"},
    {AuditKind::key_revoked, "KEY_REVOKED"},
    {AuditKind::backup_taken, "BACKUP_TAKEN"},
    {AuditKind::execution_enqueued, "EXECUTION_ENQUEUED"},
    {AuditKind::execution_cancelled, "EXECUTION_CANCELLED"},
    {AuditKind::execution_reported, "EXECUTION_REPORTED"},
    {AuditKind::execution_redriven, "EXECUTION_REDRIVEN"},
    {AuditKind::execution_retried, "EXECUTION_RETRIED"},
    {AuditKind::execution_resumed, "EXECUTION_RESUMED"},
    {AuditKind::execution_dismissed, "EXECUTION_DISMISSED"},
    {AuditKind::execution_purged, "EXECUTION_PURGED"},
    {AuditKind::execution_recovered, "EXECUTION_RECOVERED"},
    {AuditKind::workspace_created, "WORKSPACE_CREATED"},
    {AuditKind::workspace_changed, "WORKSPACE_CHANGED"},
    {AuditKind::workspace_deleted, "WORKSPACE_DELETED"},
}};

}  // namespace

std::string_view to_string(AuditKind kind) {
    return std::ranges::find(kAuditKindNames, kind, &decltype(kAuditKindNames)::value_type::first)
        ->second;
}

std::optional<AuditKind> parse_audit_kind(std::string_view text) {
    const auto found =
        std::ranges::find(kAuditKindNames, text, &decltype(kAuditKindNames)::value_type::second);
    if (found == kAuditKindNames.end()) return std::nullopt;
    return found->first;
}

}  // namespace millrace
