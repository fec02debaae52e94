#pragma once

#include "store/database.hpp"
#include "store/memory/memory_state.hpp"

namespace millrace {

// State that is gone with this object: the reference for what a store does, and the one that tests
// and the simulator run on. It outlives its connections.
class MemoryDatabase final : public Database {
public:
    Status migrate() override;
    std::unique_ptr<BatchStore> batch_store() override;
    std::unique_ptr<JobClaimer> job_claimer() override;
    std::unique_ptr<Reader> reader() override;
    int committer_count() const override { return 1; }
    bool is_shared() const override { return false; }

private:
    MemoryState state_;
};

}  // namespace millrace
