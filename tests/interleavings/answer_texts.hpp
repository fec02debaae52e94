#pragma once

#include <string>

#include "dispatch/undo_claim.hpp"
#include "engine/create_api_key.hpp"
#include "engine/expire_lease.hpp"
#include "engine/fail_job.hpp"
#include "engine/fire_timer.hpp"
#include "engine/forget_idempotency_keys.hpp"
#include "engine/idempotent.hpp"
#include "engine/remove_instances.hpp"
#include "engine/retry_instance.hpp"
#include "engine/upload_definition.hpp"
#include "queue/cancel_execution.hpp"
#include "queue/delete_workspace.hpp"
#include "queue/make_ready.hpp"
#include "queue/note_attention.hpp"
#include "queue/record_start.hpp"
#include "queue/recover_execution.hpp"
#include "queue/remove_executions.hpp"
#include "queue/renew_claims.hpp"
#include "queue/take_attention.hpp"

namespace millrace {

// What a caller was told, as a text to compare. Places in the queue are left out where an execution
// is over: nobody reads them.

inline std::string text_of(bool value) {
    return value ? "yes" : "no";
}

inline std::string text_of(const Instance& instance) {
    return "instance " + std::string(to_string(instance.status)) +
           (instance.state.is_suspended ? " suspended" : "") + " " +
           std::to_string(instance.state.sequence) + " " + instance.variables.text();
}

inline std::string text_of(const Job& job) {
    return "job " + std::string(to_string(job.status)) + " " + std::to_string(job.lease_token) +
           " " + std::to_string(job.retries_remaining) + " " +
           (job.lease ? job.lease->worker_id.value : "-");
}

inline std::string text_of(const UserTask& task) {
    return "task " + std::string(to_string(task.status)) + " " + task.assignee;
}

inline std::string text_of(const Execution& execution) {
    std::string text = "execution " + std::string(to_string(execution.queue_status)) + " " +
                       std::to_string(execution.claim.token) + " " + execution.error_reason + " " +
                       execution.error_message;
    if (is_open(execution.queue_status)) text += " " + std::string(to_string(execution.place));
    if (execution.cancel_requested_at) text += " cancel requested";
    if (execution.is_resuming) text += " resuming";
    return text;
}

inline std::string text_of(const Workspace& workspace) {
    return "workspace " + workspace.name + (workspace.is_paused ? " paused" : "");
}

inline std::string text_of(const FailedJob& failed) {
    return text_of(failed.job) + (failed.is_retried ? " retried" : "");
}
inline std::string text_of(FiredTimer fired) {
    return "timer " + std::to_string(static_cast<int>(fired));
}
inline std::string text_of(ExpiredLease lease) {
    return "lease " + std::to_string(static_cast<int>(lease));
}
inline std::string text_of(const CancelledExecution& cancelled) {
    return text_of(cancelled.execution) + (cancelled.instance_needed ? " needs more" : "");
}
inline std::string text_of(const RetriedInstance& retried) {
    return text_of(retried.instance) + (retried.execution_needed ? " needs more" : "");
}
inline std::string text_of(const RecordedStart& start) {
    return "record " + std::to_string(static_cast<int>(start.record)) + " " +
           text_of(start.execution);
}
inline std::string text_of(const MadeReady& made) {
    return std::string(made.is_ready ? "ready" : "not ready") + (made.expired ? " expired" : "");
}
inline std::string text_of(const RemovedInstances& removed) {
    return "removed " + std::to_string(removed.count);
}
inline std::string text_of(const RemovedExecutions& removed) {
    return "removed " + std::to_string(removed.count);
}
inline std::string text_of(const TakenAttention& taken) {
    return "attention " + std::to_string(static_cast<int>(taken.attention)) + " " +
           text_of(taken.execution);
}
inline std::string text_of(const NotedAttention& noted) {
    return "noted " + text_of(noted.is_noted);
}
inline std::string text_of(const RecoveredExecution& recovered) {
    return "recovered " + text_of(recovered.is_recovered) + " " + text_of(recovered.execution);
}
inline std::string text_of(const RenewedClaims& renewed) {
    return "renewed " + std::to_string(renewed.renewed);
}
inline std::string text_of(const DeletedWorkspace& deleted) {
    return "deleted " + deleted.workspace.id.value;
}
inline std::string text_of(const UploadedDefinition& uploaded) {
    return uploaded.id + " version " + std::to_string(uploaded.version);
}
inline std::string text_of(const ApiKey& key) {
    return "key " + key.id + (key.revoked_at ? " revoked" : "");
}
inline std::string text_of(const Forgotten&) {
    return "forgotten";
}

template <class Answer>
std::string text_of(const Once<Answer>& once) {
    if (once.answer) return "once " + text_of(*once.answer);
    return "replayed " + (once.instance_id ? to_string(once.instance_id->value) : "-");
}

template <class Answer>
std::string text_of(const Result<Answer>& result) {
    if (result) return text_of(*result);
    return "error " + std::to_string(static_cast<int>(result.error().code)) + ": " +
           result.error().detail;
}

}  // namespace millrace
