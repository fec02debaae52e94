#pragma once

#include "node/listeners.hpp"
#include "queue/batch_dispatcher.hpp"
#include "queue/dispatcher.hpp"
#include "queue/locked_rounds.hpp"
#include "queue/remote_runs_listener.hpp"

namespace millrace {

class DispatcherListeners final : public DispatcherListener {
public:
    DispatcherListeners(DispatcherListener& first, std::span<DispatcherListener* const> others)
        : all_(first, others) {}

    void on_round(const AdmittedExecutions& round, Duration took) override;
    void on_capacity_reached(const WorkspaceAtCapacity& workspace) override;
    void on_failure(const Error& error) override;

private:
    const Listeners<DispatcherListener> all_;
};

class BatchListeners final : public BatchListener {
public:
    BatchListeners(BatchListener& first, std::span<BatchListener* const> others)
        : all_(first, others) {}

    void on_batch_claimed(const AdmittedExecutions& batch) override;
    void on_batch_over(Duration took) override;
    void on_capacity_reached(const WorkspaceAtCapacity& workspace) override;
    void on_failure(const Error& error) override;

private:
    const Listeners<BatchListener> all_;
};

class LockListeners final : public LockListener {
public:
    LockListeners(LockListener& first, std::span<LockListener* const> others)
        : all_(first, others) {}

    void on_lock_taken(std::string_view lock, bool has_changed) override;
    void on_lock_refused(std::string_view lock, bool has_changed) override;
    void on_lock_failed(std::string_view lock, const Error& error) override;

private:
    const Listeners<LockListener> all_;
};

class RemoteRunsListeners final : public RemoteRunsListener {
public:
    RemoteRunsListeners(RemoteRunsListener& first, std::span<RemoteRunsListener* const> others)
        : all_(first, others) {}

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

private:
    const Listeners<RemoteRunsListener> all_;
};

}  // namespace millrace
