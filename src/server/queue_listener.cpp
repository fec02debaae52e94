#include "server/queue_listener.hpp"

namespace millrace {

QueueListener::QueueListener(observe::Metrics& metrics, observe::Log& log, const Clock& clock)
    : metrics_(metrics), log_(log), clock_(clock) {
    // There from the start: a rise from nothing to something would not be seen as one.
    for (const std::string_view reason :
         {failure::kDeadlineExceeded, failure::kDefinitionNotFound, failure::kVersionNotFound,
          failure::kWorkspaceNotFound, failure::kStartFailed, failure::kRecoveriesExhausted}) {
        metrics.queue_items_failed(reason);
    }
    for (const QueuePlace place :
         {QueuePlace::ready, QueuePlace::parked, QueuePlace::due, QueuePlace::active}) {
        metrics.queue_depth(to_string(place));
    }
}

void QueueListener::on_round(const AdmittedExecutions& round, Duration took) {
    metrics_.queue_rounds.add();
    metrics_.queue_items_at_capacity.add(static_cast<std::uint64_t>(round.at_capacity));
    const auto processed = static_cast<std::uint64_t>(round.processed());
    if (processed == 0) return;
    metrics_.queue_items_processed.add(processed);
    metrics_.queue_batch_size.record(static_cast<double>(processed));
    metrics_.queue_round_duration.record(took);
    if (log_.is_on(observe::LogLevel::debug)) {
        log_.debug("Processing " + std::to_string(processed) + " queue items",
                   {{"batchSize", processed}});
    }
    for (const Execution& execution : round.dispatched) {
        log_.info("Dispatching queue item", {{"queueItemId", to_string(execution.key.id.value)},
                                             {"definitionId", execution.definition.id}});
        on_dispatched(execution);
    }
    for (const FailedExecution& each : round.failed) on_given_up(each.key, each.reason);
}

void QueueListener::on_capacity_reached(const WorkspaceAtCapacity& workspace) {
    log_.info("Workspace at capacity", {{"workspaceId", workspace.workspace_id.value},
                                        {"activeCount", workspace.active},
                                        {"limit", workspace.limit}});
}

void QueueListener::on_failure(const Error& error) {
    log_.warn("A round of the dispatcher has failed; it is tried again.",
              {{"reason", error.detail}});
}

void QueueListener::on_commit(const Writes& writes) {
    for (const NewExecution& row : writes.executions_new) {
        const Execution& execution = row.execution;
        metrics_.queue_items_enqueued.add();
        log_.info("Enqueued execution", {{"id", to_string(execution.key.id.value)},
                                         {"definition", execution.definition.id},
                                         {"workspace", execution.key.workspace_id.value}});
    }
}

void QueueListener::on_dispatched(const Execution& execution) {
    const std::string id = to_string(execution.key.id.value);
    metrics_.queue_items_dispatched.add();
    metrics_.queue_item_attempts.record(execution.attempt_count);
    const Instant dispatched_at = execution.dispatched_at.value_or(clock_.now());
    const Instant since = execution.not_before.value_or(execution.created_at);
    metrics_.queue_dispatch_latency.record(std::max(dispatched_at - since, Duration::zero()));
    log_.info("Dispatched execution", {{"executionId", id}, {"queueItemId", id}});
}

void QueueListener::on_given_up(const ExecutionKey& key, std::string_view reason) {
    const std::string id = to_string(key.id.value);
    metrics_.queue_items_failed(reason).add();
    if (reason == failure::kWorkspaceNotFound) {
        log_.warn("Workspace not found",
                  {{"workspaceId", key.workspace_id.value}, {"queueItemId", id}});
        return;
    }
    log_.error("Error processing queue item", {{"queueItemId", id}, {"reason", reason}});
}

void QueueListener::on_recovered(std::size_t count, Duration timeout) {
    if (count == 0) return;
    const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout).count();
    metrics_.queue_stale_recoveries.add(count);
    log_.warn("Recovering " + std::to_string(count) + " stale claimed items",
              {{"count", count}, {"timeoutSeconds", seconds}});
    log_.info("Recovered " + std::to_string(count) + " stale queue items", {{"count", count}});
}

}  // namespace millrace
