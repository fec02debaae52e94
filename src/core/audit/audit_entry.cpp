#include "core/audit/audit_entry.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace millrace {

namespace {

constexpr std::array<std::pair<AuditKind, std::string_view>, 15> kNames{{
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
}};

}  // namespace

std::string_view to_string(AuditKind kind) {
    return std::ranges::find(kNames, kind, &decltype(kNames)::value_type::first)->second;
}

std::optional<AuditKind> parse_audit_kind(std::string_view text) {
    const auto found = std::ranges::find(kNames, text, &decltype(kNames)::value_type::second);
    if (found == kNames.end()) return std::nullopt;
    return found->first;
}

}  // namespace millrace
