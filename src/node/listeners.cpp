#include "node/listeners.hpp"

namespace millrace {

void CommitListeners::on_commit(const Writes& writes) {
    all_.tell(&CommitListener::on_commit, writes);
}

void CommitListeners::on_doubt(const Writes& writes) {
    all_.tell(&CommitListener::on_doubt, writes);
}

void CommitListeners::on_unreadable_rows(std::span<const std::string> reasons) {
    all_.tell(&CommitListener::on_unreadable_rows, reasons);
}

void CommitListeners::on_outcome(BatchOutcome outcome) {
    all_.tell(&CommitListener::on_outcome, outcome);
}

void CommitListeners::on_batch(std::size_t command_count, Duration load_duration,
                               Duration total_duration) {
    all_.tell(&CommitListener::on_batch, command_count, load_duration, total_duration);
}

void CommitListeners::on_lock_timeout(Duration waited) {
    all_.tell(&CommitListener::on_lock_timeout, waited);
}

void CommitListeners::on_batch_end(const BatchEnd& batch) {
    all_.tell(&CommitListener::on_batch_end, batch);
}

void CommitListeners::on_command(std::string_view name, Duration waited) {
    all_.tell(&CommitListener::on_command, name, waited);
}

void DispatchListeners::on_delivered(std::span<const DeliveredJob> jobs, Instant now) {
    all_.tell(&DispatchListener::on_delivered, jobs, now);
}

void DispatchListeners::on_claimed(Duration duration) {
    all_.tell(&DispatchListener::on_claimed, duration);
}

void DispatchListeners::on_empty_poll() {
    all_.tell(&DispatchListener::on_empty_poll);
}

void DispatchListeners::on_claim_conflict() {
    all_.tell(&DispatchListener::on_claim_conflict);
}

void DispatchListeners::on_rechecked(std::size_t type_count) {
    all_.tell(&DispatchListener::on_rechecked, type_count);
}

void DispatchListeners::on_claim_failed(Instant now) {
    all_.tell(&DispatchListener::on_claim_failed, now);
}

}  // namespace millrace
