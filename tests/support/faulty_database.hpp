#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "support/forwarding_database.hpp"

namespace millrace {

enum class Fault {
    refused,      // Any call fails before it has an effect.
    reply_lost,   // COMMIT took place, but the connection died before its reply.
    commit_lost,  // The connection died before COMMIT reached the server.
};

// Fails `count` calls in a row, from call number `first` (1 = the first, 0 = none) on. Counts every
// call that can fail, of all connections, also those made to find out about an earlier fault.
struct FaultPlan {
    Fault fault = Fault::refused;
    int first = 0;
    int count = 0;
    int calls = 0;
    Unavailable why = Unavailable::away;  // Of what is refused.
    // Instances that somebody else has locked: a load that asks for one of them fails.
    std::set<Id128> locked{};
    // A load of more instances than this takes longer than a statement may.
    std::size_t instances_max = 1'000'000;
    // A write of more executions than this takes longer than a statement may.
    std::size_t executions_max = 1'000'000;
    // Writes that the store refuses for their data, as a constraint of somebody else would.
    std::function<bool(const Writes&)> is_poison{};
    // Of variables, by one load: the most so far.
    std::size_t bytes_loaded_most = 0;

    bool is_due() {
        calls += 1;
        return first > 0 && calls >= first && calls < first + count;
    }
};

// A claim whose reply is lost has happened: its jobs come back when their leases run out.
class FaultyClaimer final : public JobClaimer {
public:
    FaultyClaimer(std::unique_ptr<JobClaimer> inner, FaultPlan& plan)
        : inner_(std::move(inner)), plan_(plan) {}

    Result<std::vector<DeliveredJob>> claim_jobs(const ClaimJobs& request) override {
        if (!plan_.is_due()) return inner_->claim_jobs(request);
        if (plan_.fault == Fault::reply_lost) (void)inner_->claim_jobs(request);  // As it happened.
        return Error{ErrorCode::unavailable, "injected"};
    }
    Result<std::vector<WaitingType>> waiting_types(const std::vector<JobType>& job_types) override {
        return inner_->waiting_types(job_types);
    }

private:
    std::unique_ptr<JobClaimer> inner_;
    FaultPlan& plan_;
};

class FaultyStore final : public BatchStore {
public:
    FaultyStore(std::unique_ptr<BatchStore> inner, FaultPlan& plan)
        : inner_(std::move(inner)), plan_(plan) {}

    Result<LoadedRows> load(const Footprint& footprint) override {
        if (plan_.is_due()) return refused();
        if (!locked_of(footprint).empty()) return refused(Unavailable::locked);
        if (footprint.instances.size() > plan_.instances_max) return refused(Unavailable::overrun);
        Result<LoadedRows> rows = inner_->load(footprint);
        if (rows) note_size(*rows);
        return rows;
    }
    Result<std::vector<Id128>> locked_elsewhere(const Footprint& footprint) override {
        if (plan_.is_due()) return refused();
        return locked_of(footprint);
    }
    Result<LoadedRows> extend(const Footprint& footprint) override {
        if (!plan_.is_due()) return inner_->extend(footprint);
        inner_->abandon();
        return refused();
    }
    Status apply(const Writes& writes) override {
        if (plan_.is_poison && plan_.is_poison(writes)) {
            inner_->abandon();
            return Error{ErrorCode::data_refused, "injected"};
        }
        if (writes.executions_changed.size() > plan_.executions_max) {
            inner_->abandon();
            return refused(Unavailable::overrun);
        }
        if (!plan_.is_due()) return inner_->apply(writes);
        if (plan_.fault == Fault::reply_lost) {
            const Status status = inner_->apply(writes);
            return status ? Status(in_doubt(CommitOutcome::committed)) : status;
        }
        inner_->abandon();
        return plan_.fault == Fault::refused ? refused() : in_doubt(CommitOutcome::aborted);
    }
    void abandon() override { inner_->abandon(); }
    Result<CommitOutcome> resolve() override {
        if (plan_.is_due()) return refused();
        return *std::exchange(outcome_, std::nullopt);
    }

private:
    Error refused() const { return refused(plan_.why); }
    static Error refused(Unavailable why) { return {ErrorCode::unavailable, "injected", {}, why}; }
    std::vector<Id128> locked_of(const Footprint& footprint) const {
        std::vector<Id128> locked;
        for (const InstanceKey& key : footprint.instances) {
            if (plan_.locked.contains(key.id.value)) locked.push_back(key.id.value);
        }
        return locked;
    }
    void note_size(const LoadedRows& rows) {
        std::size_t bytes = 0;
        for (const Instance& each : rows.instances) bytes += each.variables.text().size();
        plan_.bytes_loaded_most = std::max(plan_.bytes_loaded_most, bytes);
    }
    Error in_doubt(CommitOutcome outcome) {
        outcome_ = outcome;
        return {ErrorCode::commit_unknown, "injected"};
    }

    std::unique_ptr<BatchStore> inner_;
    FaultPlan& plan_;
    std::optional<CommitOutcome> outcome_;
};

class FaultyDatabase final : public ForwardingDatabase {
public:
    FaultyDatabase(Database& inner, FaultPlan& plan, int committers = 1)
        : ForwardingDatabase(inner), plan_(plan), committers_(committers) {}

    std::unique_ptr<BatchStore> batch_store() override {
        return std::make_unique<FaultyStore>(inner().batch_store(), plan_);
    }
    std::unique_ptr<JobClaimer> job_claimer() override {
        return std::make_unique<FaultyClaimer>(inner().job_claimer(), plan_);
    }
    int committer_count() const override { return committers_; }

private:
    FaultPlan& plan_;
    const int committers_;
};

}  // namespace millrace
