#include "node/queue_listeners.hpp"

namespace millrace {

void DispatcherListeners::on_round(const AdmittedExecutions& round, Duration took) {
    all_.tell(&DispatcherListener::on_round, round, took);
}

void DispatcherListeners::on_capacity_reached(const WorkspaceAtCapacity& workspace) {
    all_.tell(&DispatcherListener::on_capacity_reached, workspace);
}

void DispatcherListeners::on_failure(const Error& error) {
    all_.tell(&DispatcherListener::on_failure, error);
}

void BatchListeners::on_batch_claimed(const AdmittedExecutions& batch) {
    all_.tell(&BatchListener::on_batch_claimed, batch);
}

void BatchListeners::on_batch_over(Duration took) {
    all_.tell(&BatchListener::on_batch_over, took);
}

void BatchListeners::on_capacity_reached(const WorkspaceAtCapacity& workspace) {
    all_.tell(&BatchListener::on_capacity_reached, workspace);
}

void BatchListeners::on_failure(const Error& error) {
    all_.tell(&BatchListener::on_failure, error);
}

void LockListeners::on_lock_taken(std::string_view lock, bool has_changed) {
    all_.tell(&LockListener::on_lock_taken, lock, has_changed);
}

void LockListeners::on_lock_refused(std::string_view lock, bool has_changed) {
    all_.tell(&LockListener::on_lock_refused, lock, has_changed);
}

void LockListeners::on_lock_failed(std::string_view lock, const Error& error) {
    all_.tell(&LockListener::on_lock_failed, lock, error);
}

void RemoteRunsListeners::on_start_sent(const Execution& execution) {
    all_.tell(&RemoteRunsListener::on_start_sent, execution);
}

void RemoteRunsListeners::on_start_failed(const Execution& execution, const StartAnswer& answer) {
    all_.tell(&RemoteRunsListener::on_start_failed, execution, answer);
}

void RemoteRunsListeners::on_start_recorded(const RecordedStart& start) {
    all_.tell(&RemoteRunsListener::on_start_recorded, start);
}

void RemoteRunsListeners::on_recovered(std::size_t count) {
    all_.tell(&RemoteRunsListener::on_recovered, count);
}

void RemoteRunsListeners::on_recoveries_exhausted(const Execution& execution) {
    all_.tell(&RemoteRunsListener::on_recoveries_exhausted, execution);
}

void RemoteRunsListeners::on_cancel_passed_on(const Execution& execution) {
    all_.tell(&RemoteRunsListener::on_cancel_passed_on, execution);
}

void RemoteRunsListeners::on_look_failed(const Execution& execution, const CallFailure& failure) {
    all_.tell(&RemoteRunsListener::on_look_failed, execution, failure);
}

void RemoteRunsListeners::on_run_ended(const Execution& execution) {
    all_.tell(&RemoteRunsListener::on_run_ended, execution);
}

void RemoteRunsListeners::on_listing_failed(const std::string& target, const CallFailure& failure) {
    all_.tell(&RemoteRunsListener::on_listing_failed, target, failure);
}

void RemoteRunsListeners::on_breaker(const std::string& target, Breaker::State state) {
    all_.tell(&RemoteRunsListener::on_breaker, target, state);
}

void RemoteRunsListeners::on_trouble(const Execution& execution, const Error& error) {
    all_.tell(&RemoteRunsListener::on_trouble, execution, error);
}

}  // namespace millrace
