#include "simulator/ledger_observer.hpp"

#include "simulator/comparison.hpp"

namespace millrace::sim {

void LedgerObserver::begin(Reader& reader) {
    const auto workspaces = reader.workspaces({.size = 100});
    if (!workspaces) return findings_.add("the workspaces of an empty store cannot be read");
    for (const Workspace& workspace : workspaces->items) ledger_.begin_with(workspace);
}

void LedgerObserver::on_applied(const Writes& writes, Instant store_now, int) {
    look_at(ledger_.apply(writes, store_now));
}

void LedgerObserver::on_claimed(const std::vector<DeliveredJob>& jobs, Instant store_now, int) {
    look_at(ledger_.claim(jobs, store_now));
}

void LedgerObserver::look_at(const Changes& changes) {
    check_all(changes, ledger_, plans_, findings_);
    rates_.look_at(changes, ledger_, plans_, findings_);
    told_.on_applied(changes);
}

void LedgerObserver::compare(Reader& reader, Instant) {
    compare_with_store(ledger_, reader, findings_);
}

void LedgerObserver::at_end(Reader& reader, Instant store_now) {
    check_at_rest(ledger_, reader, store_now, plans_, findings_);
}

}  // namespace millrace::sim
