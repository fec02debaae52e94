#pragma once

#include <string>
#include <vector>

#include "store/memory/memory_lock_table.hpp"
#include "support/forwarding_database.hpp"
#include "support/remote_node.hpp"

namespace millrace {

// A database with a lock table in memory.
class LockingDatabase final : public ForwardingDatabase {
public:
    LockingDatabase(Database& inner, MemoryLocks& locks, const Clock& clock)
        : ForwardingDatabase(inner), locks_(locks), clock_(clock) {}

    std::unique_ptr<LockTable> lock_table(const std::string&) override {
        return std::make_unique<MemoryLockTable>(locks_, clock_);
    }

private:
    MemoryLocks& locks_;
    const Clock& clock_;
};

// The node of one process in dispatcher.mode single, without its threads.
class SingleNode final : private BatchListener, private LockListener {
public:
    SingleNode(Database& database, MemoryLocks& locks, FakeClock& clock,
               const RemoteRuns::Executors& executors, const std::string& owner)
        : database_(database, locks, clock),
          node(database_, clock, executors,
               {.owner = owner, .stale_after = std::chrono::minutes{5}, .is_sequential = true},
               RemoteNode::Single{.batches = *this, .locks = *this}) {}

    // Does everything that is to be done now.
    void settle() { node.settle(); }

private:
    void on_batch_claimed(const AdmittedExecutions& batch) override {
        if (batch.processed() > 0) batches.push_back(batch.processed());
    }
    void on_batch_over(Duration) override { batches_over += 1; }
    void on_capacity_reached(const WorkspaceAtCapacity&) override {}
    void on_failure(const Error&) override {}

    void on_lock_taken(std::string_view, bool) override {}
    void on_lock_refused(std::string_view, bool) override { refused += 1; }
    void on_lock_failed(std::string_view, const Error&) override {}

    LockingDatabase database_;

public:
    RemoteNode node;
    std::vector<std::int64_t> batches{};  // Their sizes, without empty ones.
    int batches_over = 0;
    int refused = 0;  // Locks.
};

}  // namespace millrace
