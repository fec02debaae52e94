#pragma once

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "commit/commit_listener.hpp"
#include "commit/commit_tracer.hpp"
#include "dispatch/job_broker.hpp"
#include "engine/instance_watch.hpp"
#include "observe/metrics.hpp"

namespace millrace {

// Tells metrics, traces, timers, leases and watchers what was committed and delivered. Thread-safe.
class NodeListener final : public CommitListener, public DispatchListener {
public:
    // Whom it tells, within the node.
    struct Notes {
        std::function<void(Instant)> timer_at{};
        std::function<void(Instant)> lease_expires_at{};
        std::function<void(const Writes&)> committed{};  // Or perhaps committed.
        // A sentence about each stored row that a batch could not read.
        std::function<void(std::string_view reason)> unreadable{};
    };

    // Called with the id of each key that comes or is revoked.
    using KeyNote = std::function<void(const std::string& id)>;

    NodeListener(observe::Metrics& metrics, InstanceWatch& watch, const observe::Tracer& tracer,
                 Notes notes);

    // Before any thread runs.
    void add_key_note(KeyNote note) { key_notes_.push_back(std::move(note)); }

    // Another replica tells of changed keys.
    void on_keys_changed(std::span<const std::string> ids);

    void on_commit(const Writes& writes) override;
    void on_doubt(const Writes& writes) override;
    void on_unreadable_rows(std::span<const std::string> reasons) override;
    void on_outcome(BatchOutcome outcome) override;
    void on_batch(std::size_t command_count, Duration load_duration,
                  Duration total_duration) override;
    void on_batch_end(const BatchEnd& batch) override { tracer_.on_batch_end(batch); }
    void on_lock_timeout(Duration waited) override;
    void on_command(std::string_view name, Duration waited) override;

    void on_delivered(std::span<const DeliveredJob> jobs, Instant now) override;
    void on_claimed(Duration duration) override;
    void on_empty_poll() override;
    void on_claim_conflict() override;
    void on_rechecked(std::size_t type_count) override;
    void on_claim_failed(Instant now) override;

private:
    void count(const std::vector<Instance>& instances);
    void count(const StepExecution& line);
    void note_due(const Writes& writes);
    void note_leases(const std::vector<Job>& jobs);
    void note_keys(const Writes& writes);
    void note_key(const std::string& id);

    observe::Metrics& metrics_;
    InstanceWatch& watch_;
    const CommitTracer tracer_;
    const Notes notes_;
    std::vector<KeyNote> key_notes_;
    observe::Histogram& instance_lock_wait_;
    observe::Histogram& claim_lock_wait_;
    observe::Counter& commits_committed_;
    observe::Counter& commits_aborted_;
    observe::Counter& commits_unknown_;
    observe::Counter& jobs_completed_;
    observe::Counter& jobs_failed_;
    observe::Counter& jobs_cancelled_;
    std::array<observe::Counter*, 8> steps_executed_{};

    Mutex mutex_;
    std::map<std::string, observe::Histogram*, std::less<>> transactions_
        MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
