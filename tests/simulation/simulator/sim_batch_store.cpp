#include "simulator/sim_batch_store.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "simulator/touched_instances.hpp"

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

constexpr Duration kLockedLeast = 10ms;
constexpr Duration kLockedMost = 20s;
constexpr Duration kPoisonedMost = 60s;

}  // namespace

Result<LoadedRows> SimBatchStore::load(const Footprint& footprint) {
    const std::optional<Fault> fault = line_.begin(StoreCall::load);
    if (fault == Fault::locked) lock_some(footprint);
    if (!locked_of(footprint).empty()) return refused(Fault::locked);
    if (fault && fault != Fault::killed && fault != Fault::locked) return refused(*fault);
    Result<LoadedRows> rows = inner_->load(footprint);
    line_.end(fault);
    if (rows && line_.on_server_time) line_.on_server_time();
    return rows;
}

Result<std::vector<Id128>> SimBatchStore::locked_elsewhere(const Footprint& footprint) {
    const std::optional<Fault> fault = line_.begin(StoreCall::look);
    line_.end(fault);
    if (fault) return refused(*fault);
    return locked_of(footprint);
}

Result<LoadedRows> SimBatchStore::extend(const Footprint& footprint) {
    const std::optional<Fault> fault = line_.begin(StoreCall::extend);
    line_.end(fault);
    if (!fault) return inner_->extend(footprint);
    inner_->abandon();
    return refused(*fault);
}

Status SimBatchStore::apply(const Writes& writes) {
    const std::optional<Fault> fault = line_.begin(StoreCall::apply);
    if (fault == Fault::poisoned) {
        for (const Id128& id : touched_instances(writes)) {
            if (line_.random.chance(50)) continue;
            line_.weather.poison(id, line_.store.now() + line_.random.between(0s, kPoisonedMost));
        }
    }
    if (is_poisoned(writes)) {
        inner_->abandon();
        return Error{ErrorCode::data_refused, "simulated"};
    }
    if (!fault || fault == Fault::poisoned || fault == Fault::killed) {
        Status status = commit(writes);
        line_.end(fault);
        return status;
    }
    if (fault == Fault::reply_lost) {
        Status status = commit(writes);
        return status ? Status(in_doubt(CommitOutcome::committed)) : status;
    }
    inner_->abandon();
    if (fault == Fault::commit_lost) return in_doubt(CommitOutcome::aborted);
    return refused(*fault);
}

Result<CommitOutcome> SimBatchStore::resolve() {
    const std::optional<Fault> fault = line_.begin(StoreCall::resolve);
    line_.end(fault);
    if (fault) return refused(*fault);
    if (!outcome_) return Error{ErrorCode::unavailable, "No commit is in doubt."};
    return *std::exchange(outcome_, std::nullopt);
}

std::vector<Id128> SimBatchStore::locked_of(const Footprint& footprint) const {
    std::vector<Id128> locked = footprint.holds();
    std::erase_if(locked, [this](const Id128& id) {
        return !line_.weather.is_locked(id, line_.store.now());
    });
    return locked;
}

void SimBatchStore::lock_some(const Footprint& footprint) {
    for (const Id128& id : footprint.holds()) {
        if (line_.random.chance(50)) continue;
        const Duration duration = line_.random.between(kLockedLeast, kLockedMost);
        line_.weather.lock(id, line_.store.now() + duration);
    }
}

bool SimBatchStore::is_poisoned(const Writes& writes) const {
    if (!line_.weather.has_poison()) return false;
    return std::ranges::any_of(touched_instances(writes), [this](const Id128& id) {
        return line_.weather.is_poisoned(id, line_.store.now());
    });
}

// The memory store cannot wait for a lock: a row that has changed since it was loaded is what a
// deadlock is elsewhere.
Status SimBatchStore::commit(const Writes& writes) {
    Status status = inner_->apply(writes);
    if (!status) {
        Error error = status.error();
        if (error.code == ErrorCode::unavailable) error.why = Unavailable::overrun;
        return error;
    }
    line_.store.tell_applied(writes, line_.time.now(), line_.replica);
    return status;
}

Error SimBatchStore::in_doubt(CommitOutcome outcome) {
    outcome_ = outcome;
    return {ErrorCode::commit_unknown, "simulated"};
}

}  // namespace millrace::sim
