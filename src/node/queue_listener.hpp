#pragma once

#include <span>

#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "queue/batch_dispatcher.hpp"
#include "queue/dispatcher.hpp"
#include "queue/locked_rounds.hpp"
#include "queue/remote_runs_listener.hpp"

namespace millrace {

// Tells metrics and the log what becomes of executions. The names of its lines are those that
// operators of such queues look for. Thread-safe. No line has anything of an input.
class QueueListener final : public DispatcherListener,
                            public BatchListener,
                            public LockListener,
                            public RemoteRunsListener {
public:
    // `lease` is how long a claim holds.
    QueueListener(observe::Metrics& metrics, observe::Log& log, const Clock& clock, Duration lease);

    void on_round(const AdmittedExecutions& round, Duration took) override;
    void on_capacity_reached(const WorkspaceAtCapacity& workspace) override;
    void on_failure(const Error& error) override;

    void on_batch_claimed(const AdmittedExecutions& batch) override;
    void on_batch_over(Duration took) override;

    void on_lock_taken(std::string_view lock, bool has_changed) override;
    void on_lock_refused(std::string_view lock, bool has_changed) override;
    void on_lock_failed(std::string_view lock, const Error& error) override;

    void on_start_sent(const Execution& execution) override;
    void on_start_failed(const Execution& execution, const StartAnswer& answer) override;
    void on_start_recorded(const RecordedStart& start) override;
    void on_recovered(std::size_t count) override;
    void on_recoveries_exhausted(const Execution& execution) override;
    void on_cancel_passed_on(const Execution& execution) override;
    void on_look_failed(const Execution& execution, const CallFailure& failure) override;
    void on_run_ended(const Execution& execution) override;
    void on_listing_failed(const std::string& target, const CallFailure& failure) override;
    void on_breaker(const std::string& target, Breaker::State state) override;
    void on_trouble(const Execution& execution, const Error& error) override;

    // What was committed in this process.
    void on_commit(const Writes& writes);
    // One has failed because its deadline has passed while it waited for its time.
    void on_expired(const Execution& execution) { tell_of_given_up(execution); }

private:
    // An executor has accepted a start, or its start is part of the commit.
    void tell_of_dispatched(const Execution& execution);
    // It was given up before it ran.
    void tell_of_given_up(const Execution& execution);

    observe::Metrics& metrics_;
    observe::Log& log_;
    const Clock& clock_;
    const Duration lease_;
};

}  // namespace millrace
