#pragma once

#include <memory>
#include <optional>

#include "simulator/sim_database.hpp"

namespace millrace::sim {

// A connection for batches that breaks when the weather says so. Who resolves a doubt is told the
// truth.
class SimBatchStore final : public BatchStore {
public:
    SimBatchStore(std::unique_ptr<BatchStore> inner, Line& line)
        : inner_(std::move(inner)), line_(line) {}

    Result<LoadedRows> load(const Footprint& footprint) override;
    Result<std::vector<Id128>> locked_elsewhere(const Footprint& footprint) override;
    Result<LoadedRows> extend(const Footprint& footprint) override;
    Status apply(const Writes& writes) override;
    void abandon() override { inner_->abandon(); }
    Result<CommitOutcome> resolve() override;

private:
    std::vector<Id128> locked_of(const Footprint& footprint) const;
    void lock_some(const Footprint& footprint);
    bool is_poisoned(const Writes& writes) const;
    Status commit(const Writes& writes);
    Error in_doubt(CommitOutcome outcome);

    std::unique_ptr<BatchStore> inner_;
    Line& line_;
    std::optional<CommitOutcome> outcome_{};
};

}  // namespace millrace::sim
