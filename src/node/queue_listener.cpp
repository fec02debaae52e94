#include "node/queue_listener.hpp"

#include "core/queue/target_name.hpp"

namespace millrace {

namespace {

std::string id_of(const ExecutionKey& key) {
    return to_string(key.id.value);
}

}  // namespace

QueueListener::QueueListener(observe::Metrics& metrics, observe::Log& log, const Clock& clock,
                             Duration lease)
    : metrics_(metrics), log_(log), clock_(clock), lease_(lease) {
    // There from the start: a rise from nothing to something would not be seen as one.
    for (const std::string_view reason :
         {failure::kDeadlineExceeded, failure::kDefinitionNotFound, failure::kVersionNotFound,
          failure::kWorkspaceNotFound, failure::kStartFailed, failure::kInvalidInput,
          failure::kRecoveriesExhausted}) {
        metrics.queue_items_failed(reason);
    }
    for (const char* code : {"UNAVAILABLE", "DEADLINE_EXCEEDED", "INVALID_ARGUMENT", "UNKNOWN"}) {
        metrics.queue_dispatch_failures(to_string(ExecutorKind::temporal), code);
    }
    metrics.queue_breaker_open(target_name({}));
    for (const QueuePlace place :
         {QueuePlace::ready, QueuePlace::parked, QueuePlace::due, QueuePlace::active}) {
        metrics.queue_depth(to_string(place));
    }
}

void QueueListener::on_round(const AdmittedExecutions& round, Duration took) {
    on_batch_claimed(round);
    if (round.processed() > 0) on_batch_over(took);
}

void QueueListener::on_batch_over(Duration took) {
    metrics_.queue_round_duration.record(took);
}

void QueueListener::on_batch_claimed(const AdmittedExecutions& round) {
    metrics_.queue_rounds.add();
    metrics_.queue_items_at_capacity.add(static_cast<std::uint64_t>(round.at_capacity));
    const auto processed = static_cast<std::uint64_t>(round.processed());
    if (processed == 0) return;
    metrics_.queue_items_processed.add(processed);
    metrics_.queue_batch_size.record(static_cast<double>(processed));
    if (log_.is_on(observe::LogLevel::debug)) {
        log_.debug("Processing " + std::to_string(processed) + " queue items",
                   {{"batchSize", processed}});
    }
    for (const Execution& execution : round.dispatched) {
        on_start_sent(execution);
        tell_of_dispatched(execution);
    }
    for (const Execution& execution : round.failed) tell_of_given_up(execution);
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

void QueueListener::on_lock_taken(std::string_view lock, bool has_changed) {
    if (has_changed) log_.debug("The lock is ours.", {{"lock", lock}});
}

void QueueListener::on_lock_refused(std::string_view lock, bool has_changed) {
    metrics_.shedlock_failures.add();
    if (has_changed) log_.debug("The lock is held; this round is left out.", {{"lock", lock}});
}

void QueueListener::on_lock_failed(std::string_view lock, const Error& error) {
    metrics_.shedlock_failures.add();
    log_.warn("The lock could not be asked for; it is tried again.",
              {{"lock", lock}, {"reason", error.detail}});
}

void QueueListener::on_commit(const Writes& writes) {
    for (const NewExecution& row : writes.executions_new) {
        const Execution& execution = row.execution;
        // One that was claimed before was enqueued before: only its record was gone.
        if (execution.claim.token > 0) continue;
        metrics_.queue_items_enqueued.add();
        log_.info("Enqueueing workflow execution",
                  {{"definition", execution.definition.id},
                   {"workspace", execution.key.workspace_id.value}});
        log_.info("Enqueued execution", {{"id", id_of(execution.key)},
                                         {"definition", execution.definition.id},
                                         {"workspace", execution.key.workspace_id.value}});
    }
}

void QueueListener::tell_of_dispatched(const Execution& execution) {
    const std::string id = id_of(execution.key);
    metrics_.queue_items_dispatched.add();
    metrics_.queue_item_attempts.record(execution.attempt_count);
    const Instant dispatched_at = execution.dispatched_at.value_or(clock_.now());
    // Who says "not before" a time in the past waits from the beginning.
    const Instant since =
        std::max(execution.not_before.value_or(execution.created_at), execution.created_at);
    metrics_.queue_dispatch_latency.record(std::max(dispatched_at - since, Duration::zero()));
    log_.info("Dispatched execution", {{"executionId", id}, {"queueItemId", id}});
}

void QueueListener::tell_of_given_up(const Execution& execution) {
    const std::string id = id_of(execution.key);
    metrics_.queue_items_failed(execution.error_reason).add();
    metrics_.queue_item_attempts.record(execution.attempt_count);
    if (execution.error_reason == failure::kWorkspaceNotFound) {
        log_.warn("Workspace not found",
                  {{"workspaceId", execution.key.workspace_id.value}, {"queueItemId", id}});
        return;
    }
    log_.error("Error processing queue item", {{"queueItemId", id},
                                               {"reason", execution.error_reason},
                                               {"error", execution.error_message},
                                               {"attemptCount", execution.attempt_count}});
}

void QueueListener::on_start_sent(const Execution& execution) {
    log_.info("Dispatching queue item",
              {{"queueItemId", id_of(execution.key)}, {"definitionId", execution.definition.id}});
}

void QueueListener::on_start_failed(const Execution& execution, const StartAnswer& answer) {
    const std::string_view executor = to_string(execution.executor);
    metrics_.queue_dispatch_failures(executor, answer.code.empty() ? "UNKNOWN" : answer.code).add();
    log_.error(
        "Failed to start Temporal workflow",
        {{"queueItemId", id_of(execution.key)}, {"code", answer.code}, {"error", answer.message}});
}

void QueueListener::on_start_recorded(const RecordedStart& start) {
    const Execution& execution = start.execution;
    const std::string id = id_of(execution.key);
    if (start.was_missing) {
        log_.warn("Execution not found for retry", {{"executionId", id}, {"queueItemId", id}});
    }
    switch (start.record) {
        case StartRecord::dispatched: return tell_of_dispatched(execution);
        case StartRecord::failed: return tell_of_given_up(execution);
        case StartRecord::released:
            log_.error("Error processing queue item", {{"queueItemId", id},
                                                       {"error", execution.last_error},
                                                       {"attemptCount", execution.attempt_count}});
            return;
        case StartRecord::in_doubt:
        case StartRecord::cancelled:
        case StartRecord::lost: return;
    }
}

void QueueListener::on_recovered(std::size_t count) {
    if (count == 0) return;
    const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(lease_).count();
    metrics_.queue_stale_recoveries.add(count);
    log_.warn("Recovering " + std::to_string(count) + " stale claimed items",
              {{"count", count}, {"timeoutSeconds", seconds}});
    log_.info("Recovered " + std::to_string(count) + " stale queue items", {{"count", count}});
}

void QueueListener::on_recoveries_exhausted(const Execution& execution) {
    tell_of_given_up(execution);
}

void QueueListener::on_cancel_passed_on(const Execution& execution) {
    log_.info("A cancellation was passed on.", {{"executionId", id_of(execution.key)}});
}

void QueueListener::on_look_failed(const Execution& execution, const CallFailure& failure) {
    log_.debug("A run could not be asked about; it is asked again.",
               {{"executionId", id_of(execution.key)}, {"code", failure.code}});
}

void QueueListener::on_run_ended(const Execution& execution) {
    log_.info("Execution ended", {{"executionId", id_of(execution.key)},
                                  {"status", to_string(execution.queue_status)}});
}

void QueueListener::on_listing_failed(const std::string& target, const CallFailure& failure) {
    log_.debug("A target does not list its runs; they are asked about in turn.",
               {{"target", target}, {"code", failure.code}});
}

void QueueListener::on_breaker(const std::string& target, Breaker::State state) {
    metrics_.queue_breaker_open(target).set(state == Breaker::State::closed ? 0 : 1);
    if (state == Breaker::State::trying) return;
    state == Breaker::State::open
        ? log_.warn("A target does not answer; it is left alone for a while.", {{"target", target}})
        : log_.info("A target answers again.", {{"target", target}});
}

void QueueListener::on_trouble(const Execution& execution, const Error& error) {
    log_.error("Error processing queue item", {{"queueItemId", id_of(execution.key)},
                                               {"error", error.detail},
                                               {"attemptCount", execution.attempt_count}});
}

}  // namespace millrace
