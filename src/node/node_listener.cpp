#include "node/node_listener.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace millrace {

NodeListener::NodeListener(observe::Metrics& metrics, InstanceWatch& watch,
                           const observe::Tracer& tracer, Notes notes)
    : metrics_(metrics),
      watch_(watch),
      tracer_(tracer),
      notes_(std::move(notes)),
      instance_lock_wait_(metrics.db_lock_waits("instance.for_update")),
      claim_lock_wait_(metrics.db_lock_waits("job.poll_skip_locked")),
      commits_committed_(metrics.commits("committed")),
      commits_aborted_(metrics.commits("aborted")),
      commits_unknown_(metrics.commits("unknown")),
      jobs_completed_(metrics.jobs_ended(to_string(JobState::completed))),
      jobs_failed_(metrics.jobs_ended(to_string(JobState::failed))),
      jobs_cancelled_(metrics.jobs_ended(to_string(JobState::cancelled))) {
    // There from the start: a rise from nothing to something would not be seen as one.
    for (const InstanceStatus status :
         {InstanceStatus::completed, InstanceStatus::failed, InstanceStatus::cancelled}) {
        metrics.instances_completed(to_string(status));
    }
    for (std::size_t type = 0; type < steps_executed_.size(); ++type) {
        steps_executed_[type] = &metrics.steps_executed(to_string(static_cast<StepType>(type)));
    }
}

void NodeListener::on_commit(const Writes& writes) {
    metrics_.instances_started.add(writes.instances_new.size());
    metrics_.definitions_uploaded.add(writes.definitions.size());
    metrics_.jobs_created.add(writes.jobs_new.size());
    metrics_.instances_removed.add(writes.instances_removed.size());
    metrics_.executions_removed.add(writes.executions_removed.size());
    metrics_.audit_entries_removed.add(writes.audit_removed.size());
    count(writes.instances_new);
    count(writes.instances_changed);
    for (const StepExecution& line : writes.step_executions) count(line);
    note_due(writes);
    watch_.on_commit(writes);
    note_keys(writes);
    notes_.committed(writes);
}

void NodeListener::on_doubt(const Writes& writes) {
    note_due(writes);
    watch_.on_commit(writes);
    note_keys(writes);
    notes_.committed(writes);
}

void NodeListener::on_unreadable_rows(std::span<const std::string> reasons) {
    metrics_.db_rows_unreadable.add(reasons.size());
    for (const std::string& reason : reasons) notes_.unreadable(reason);
}

void NodeListener::on_keys_changed(std::span<const std::string> ids) {
    for (const std::string& id : ids) note_key(id);
}

void NodeListener::note_due(const Writes& writes) {
    const auto first = std::ranges::min_element(writes.timers_new, {}, &Timer::fire_at);
    if (first != writes.timers_new.end()) notes_.timer_at(first->fire_at);
    note_leases(writes.jobs_new);
    note_leases(writes.jobs_changed);
}

void NodeListener::count(const std::vector<Instance>& instances) {
    for (const Instance& instance : instances) {
        if (!is_terminal(instance.status)) continue;
        metrics_.instances_completed(to_string(instance.status)).add();
    }
}

void NodeListener::count(const StepExecution& line) {
    steps_executed_.at(static_cast<std::size_t>(line.step_type))->add();
    if (!line.job_status) return;
    switch (*line.job_status) {
        case JobState::unlocked:
        case JobState::locked: return;
        case JobState::completed: return jobs_completed_.add();
        case JobState::failed: return jobs_failed_.add();
        case JobState::cancelled: return jobs_cancelled_.add();
    }
}

void NodeListener::note_leases(const std::vector<Job>& jobs) {
    std::optional<Instant> first;
    for (const Job& job : jobs) {
        if (!job.lease) continue;
        first = std::min(first.value_or(job.lease->lock_expires_at), job.lease->lock_expires_at);
    }
    if (first) notes_.lease_expires_at(*first);
}

void NodeListener::note_keys(const Writes& writes) {
    for (const ApiKey& key : writes.api_keys) note_key(key.id);
    for (const ApiKeyRevocation& revocation : writes.api_keys_revoked) note_key(revocation.id);
}

void NodeListener::note_key(const std::string& id) {
    for (const KeyNote& note : key_notes_) note(id);
}

void NodeListener::on_outcome(BatchOutcome outcome) {
    switch (outcome) {
        case BatchOutcome::committed: return commits_committed_.add();
        case BatchOutcome::aborted: return commits_aborted_.add();
        case BatchOutcome::unknown: return commits_unknown_.add();
    }
}

void NodeListener::on_batch(std::size_t command_count, Duration load_duration,
                            Duration total_duration) {
    metrics_.commit_batch_size.record(static_cast<double>(command_count));
    metrics_.batch_duration.record(total_duration);
    metrics_.commit_duration.record(total_duration - load_duration);
    instance_lock_wait_.record(load_duration);
}

void NodeListener::on_lock_timeout(Duration waited) {
    instance_lock_wait_.record(waited);
}

void NodeListener::on_command(std::string_view name, Duration waited) {
    observe::Histogram* transactions = nullptr;
    {
        const MutexLock lock(mutex_);
        const auto found = transactions_.find(name);
        if (found != transactions_.end()) transactions = found->second;
    }
    if (transactions == nullptr) {
        transactions = &metrics_.db_transactions(name);
        const MutexLock lock(mutex_);
        transactions_.emplace(name, transactions);
    }
    transactions->record(waited);
}

void NodeListener::on_delivered(std::span<const DeliveredJob> jobs, Instant now) {
    std::optional<Instant> first;
    for (const DeliveredJob& delivered : jobs) {
        const Instant expires_at = delivered.job.lease->lock_expires_at;
        first = std::min(first.value_or(expires_at), expires_at);
        if (delivered.job.lease_token == 1) {
            metrics_.job_pickup_latency.record(now - delivered.job.created_at);
            metrics_.job_poll_latency.record(now - delivered.job.created_at);
        }
    }
    if (first) notes_.lease_expires_at(*first);
}

void NodeListener::on_claimed(Duration duration) {
    claim_lock_wait_.record(duration);
}

void NodeListener::on_empty_poll() {
    metrics_.job_empty_polls.add();
}

void NodeListener::on_claim_conflict() {
    metrics_.job_lock_conflicts.add();
}

void NodeListener::on_rechecked(std::size_t type_count) {
    metrics_.job_rechecks.add(type_count);
}

// The look finds when the first of all leases runs out.
void NodeListener::on_claim_failed(Instant now) {
    notes_.lease_expires_at(now);
}

}  // namespace millrace
