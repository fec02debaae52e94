#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "store/batch_store.hpp"

namespace millrace {

enum class Fault {
    refused,      // Any call fails before it has an effect.
    reply_lost,   // COMMIT took place, but the connection died before its reply.
    commit_lost,  // The connection died before COMMIT reached the server.
};

// Fails `count` calls in a row, from call number `first` (1 = the first) on. Counts every call of
// the store that can fail, also those made to find out about an earlier fault.
class FaultyStore final : public BatchStore {
public:
    FaultyStore(BatchStore& inner, Fault fault, int first, int count)
        : inner_(inner), fault_(fault), first_(first), count_(count) {}

    int calls() const { return calls_; }

    Result<LoadedRows> load(const Footprint& footprint) override {
        if (fault_is_due()) return refused();
        return inner_.load(footprint);
    }

    Result<LoadedRows> extend(const Footprint& footprint) override {
        if (!fault_is_due()) return inner_.extend(footprint);
        inner_.abandon();
        return refused();
    }

    Status apply(const Writes& writes) override {
        if (!fault_is_due()) return inner_.apply(writes);
        if (fault_ == Fault::reply_lost) {
            const Status status = inner_.apply(writes);
            return status ? Status(in_doubt(CommitOutcome::committed)) : status;
        }
        inner_.abandon();
        return fault_ == Fault::refused ? refused() : in_doubt(CommitOutcome::aborted);
    }

    void abandon() override { inner_.abandon(); }

    Result<CommitOutcome> resolve() override {
        MILLRACE_CHECK(outcome_.has_value());
        if (fault_is_due()) return refused();
        return *std::exchange(outcome_, std::nullopt);
    }

private:
    bool fault_is_due() {
        calls_ += 1;
        return calls_ >= first_ && calls_ < first_ + count_;
    }

    static Error refused() { return {ErrorCode::unavailable, "injected"}; }

    Error in_doubt(CommitOutcome outcome) {
        outcome_ = outcome;
        return {ErrorCode::commit_unknown, "injected"};
    }

    BatchStore& inner_;
    Fault fault_;
    int first_;
    int count_;
    int calls_ = 0;
    std::optional<CommitOutcome> outcome_;
};

}  // namespace millrace
