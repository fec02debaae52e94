#pragma once

#include "store/batch_store.hpp"
#include "store/memory/memory_admission.hpp"

namespace millrace {

// It cannot wait for a lock in a simulator with one thread; instead apply fails with unavailable,
// as after a deadlock, when a row that load should have locked has changed since.
class MemoryBatchStore final : public BatchStore {
public:
    explicit MemoryBatchStore(MemoryState& state) : state_(state) {}

    Result<LoadedRows> load(const Footprint& footprint) override;
    Result<LoadedRows> extend(const Footprint& footprint) override;
    Status apply(const Writes& writes) override;
    void abandon() override;
    Result<CommitOutcome> resolve() override;

private:
    struct Locks {
        std::map<InstanceKey, std::int64_t> instances{};  // Commit numbers; 0: no such row.
        std::map<JobKey, std::int64_t> jobs{};
        std::map<UserTaskKey, std::optional<UserTask>> user_tasks{};  // As they were.
        std::map<DefinitionKey, std::int32_t> uploads{};  // The latest version of each name.
        // Whether there was a record: it is never changed.
        std::map<IdempotencyKey, bool> idempotency_keys{};
        std::map<ExecutionKey, std::int64_t> executions{};
        std::map<WorkspaceId, std::int64_t> lines{};
        AdmissionMoves moves{};
    };

    static Locks lock(const MemoryTables& tables, const Footprint& footprint);
    static void lock_admission(const MemoryTables& tables, const AdmissionRows& rows, Locks& locks);
    static bool holds(const MemoryTables& tables, const Locks& locks);

    MemoryState& state_;
    std::optional<Locks> batch_;  // Between load and the end of the batch.
};

}  // namespace millrace
