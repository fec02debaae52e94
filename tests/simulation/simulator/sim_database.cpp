#include "simulator/sim_database.hpp"

#include "simulator/sim_batch_store.hpp"
#include "simulator/sim_job_claimer.hpp"
#include "simulator/sim_links.hpp"
#include "support/watched_reader.hpp"

namespace millrace::sim {

std::optional<Fault> Line::begin(StoreCall call) {
    is_interleaved_at_end = false;
    const std::optional<Fault> fault = weather.strike(call, store.now());
    if (fault == Fault::killed && random.chance(50)) throw Killed{};
    if (fault != Fault::interleaved) return fault;
    is_interleaved_at_end = random.chance(50);
    if (!is_interleaved_at_end) interleave();
    return std::nullopt;
}

void Line::end(std::optional<Fault> fault) {
    if (fault == Fault::killed) throw Killed{};
    if (std::exchange(is_interleaved_at_end, false)) interleave();
}

Error refused(Fault fault) {
    Unavailable why = Unavailable::away;
    if (fault == Fault::full) why = Unavailable::full;
    if (fault == Fault::locked) why = Unavailable::locked;
    if (fault == Fault::overrun) why = Unavailable::overrun;
    return {ErrorCode::unavailable, "simulated", {}, why};
}

SimDatabase::~SimDatabase() {
    line_.store.listeners().erase(line_.replica);
}

std::unique_ptr<BatchStore> SimDatabase::batch_store() {
    return std::make_unique<SimBatchStore>(line_.store.inner().batch_store(), line_);
}

std::unique_ptr<JobClaimer> SimDatabase::job_claimer() {
    return std::make_unique<SimJobClaimer>(line_.store.inner().job_claimer(), line_);
}

std::unique_ptr<Reader> SimDatabase::reader() {
    return std::make_unique<WatchedReader>(
        line_.store.inner().reader(), [this]() -> std::optional<Error> {
            const std::optional<Fault> fault = line_.begin(StoreCall::read);
            line_.end(fault);
            if (!fault) return std::nullopt;
            return refused(*fault);
        });
}

std::unique_ptr<HintSender> SimDatabase::hint_sender() {
    if (!line_.is_shared) return nullptr;
    return std::make_unique<SimHintSender>(line_);
}

std::unique_ptr<HintListener> SimDatabase::hint_listener() {
    if (!line_.is_shared) return nullptr;
    return std::make_unique<SimHintListener>(line_);
}

std::unique_ptr<Cluster> SimDatabase::cluster() {
    if (!line_.is_shared) return nullptr;
    return std::make_unique<SimCluster>(line_);
}

std::unique_ptr<LockTable> SimDatabase::lock_table(const std::string& table) {
    return std::make_unique<SimLockTable>(line_, line_.store.locks(table));
}

std::optional<Instant> SimDatabase::next_hint_at() const {
    const auto found = line_.store.listeners().find(line_.replica);
    if (found == line_.store.listeners().end() || found->second.empty()) return std::nullopt;
    return found->second.front().due_at;
}

}  // namespace millrace::sim
