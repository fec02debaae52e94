#pragma once

#include <memory>
#include <string>
#include <vector>

#include "queue/batch_dispatcher.hpp"
#include "queue/locked_rounds.hpp"
#include "queue/stale_recovery.hpp"
#include "store/memory/memory_lock_table.hpp"
#include "support/remote_node.hpp"

namespace millrace {

// The queue of one process in dispatcher.mode single, without its threads.
class SingleNode final : private BatchListener, private LockListener {
public:
    static RemoteSettings settings_of(const std::string& owner) {
        return {.owner = owner, .stale_after = std::chrono::minutes{5}, .is_sequential = true};
    }

    SingleNode(Database& database, MemoryLocks& locks, FakeClock& clock,
               const RemoteRuns::Executors& executors, const std::string& owner)
        : node(database, clock, executors, settings_of(owner)),
          locks_(locks, clock),
          batches_(node.commands(), *this, clock, {.owner = owner, .plans = default_plans()},
                   {.begin = [this](auto claimed,
                                    auto over) { node.runs().begin(std::move(claimed), over); },
                    .closed_targets =
                        [this] {
                            return node.runs().closed_targets();
                        }}),
          recovery_(node.reader(), clock,
                    [this](const ExecutionKey& key, std::function<void(bool)> done) {
                        node.runs().attend(key, std::move(done));
                    }),
          dispatch_rounds_(
              locks_, *this, clock,
              {.lock = kDispatchLock, .holder = owner, .interval = std::chrono::seconds{5}},
              [this](std::function<void()> end) -> Status {
                  batches_.begin(std::move(end));
                  return ok();
              },
              [this] { is_awake_ = true; }),
          recovery_rounds_(
              locks_, *this, clock,
              {.lock = kRecoveryLock, .holder = owner, .interval = std::chrono::seconds{60}},
              [this](std::function<void()> end) { return recovery_.begin(std::move(end)); },
              [this] { is_awake_ = true; }) {
        node.dispatches = false;
        node.attends_to = Unattended::runs;
    }

    // Does everything that is to be done now.
    void settle() {
        int round = 0;
        do {
            is_awake_ = false;
            dispatch_rounds_.run_once();
            recovery_rounds_.run_once();
            node.settle();
            ASSERT_LT(++round, kRoundsMax) << "it does not come to rest";
        } while (is_awake_);
    }

    RemoteNode node;
    std::vector<std::int64_t> batches{};  // Their sizes, without empty ones.
    int looks = 0;                        // At the queue, empty or not.
    int batches_over = 0;
    int refused = 0;  // Locks.
    std::vector<WorkspaceId> full{};
    int failures = 0;

private:
    static constexpr int kRoundsMax = 1'000;

    void on_batch_claimed(const AdmittedExecutions& batch) override {
        looks += 1;
        if (batch.processed() > 0) batches.push_back(batch.processed());
    }
    void on_batch_over(Duration) override { batches_over += 1; }
    void on_capacity_reached(const WorkspaceAtCapacity& workspace) override {
        full.push_back(workspace.workspace_id);
    }
    void on_failure(const Error&) override { failures += 1; }

    void on_lock_taken(std::string_view, bool) override {}
    void on_lock_refused(std::string_view, bool) override { refused += 1; }
    void on_lock_failed(std::string_view, const Error&) override {}

    bool is_awake_ = false;
    MemoryLockTable locks_;
    BatchDispatcher batches_;
    StaleRecovery recovery_;
    LockedRounds dispatch_rounds_;
    LockedRounds recovery_rounds_;
};

}  // namespace millrace
