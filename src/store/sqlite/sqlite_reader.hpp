#pragma once

#include "store/reader.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/trouble_note.hpp"

namespace millrace::sqlite {

class SqliteReader final : public Reader {
public:
    explicit SqliteReader(std::string path, TroubleNote on_trouble = {})
        : path_(std::move(path)), on_trouble_(std::move(on_trouble)) {}

    Result<std::optional<DefinitionRecord>> definition(const WorkspaceId& workspace_id,
                                                       const std::string& id,
                                                       std::int32_t version) override;
    Result<Listing<DefinitionSummary>> definitions(const DefinitionFilter& filter,
                                                   Page page) override;
    Result<bool> is_definition_elsewhere(const WorkspaceId& workspace_id,
                                         const std::string& id) override;
    Result<Listing<DefinitionSummary>> definition_versions(const WorkspaceId& workspace_id,
                                                           const std::string& id,
                                                           Page page) override;
    Result<std::optional<Instance>> instance(const InstanceKey& key) override;
    Result<std::optional<WorkspaceId>> workspace_of_instance(InstanceId id) override;
    Result<Listing<Instance>> instances(const InstanceFilter& filter, Page page) override;
    Result<std::optional<InstanceHistory>> history(const InstanceKey& key,
                                                   const HistoryPart& part) override;
    Result<std::optional<Job>> job(const JobKey& key) override;
    Result<Listing<Job>> jobs(const JobFilter& filter, Page page) override;
    Result<std::optional<UserTask>> user_task(const UserTaskKey& key) override;
    Result<Listing<UserTask>> user_tasks(const UserTaskFilter& filter, Page page) override;
    Result<std::optional<ApiKey>> api_key(const std::string& id) override;
    Result<Listing<ApiKey>> api_keys(const ApiKeyFilter& filter, Page page) override;
    Result<Listing<AuditEntry>> audit(const AuditFilter& filter, Page page) override;
    Result<std::optional<Instant>> oldest_idempotency_record() override;
    Result<std::vector<Due<TimerKey>>> due_timers(Instant now,
                                                  const std::optional<Due<TimerKey>>& after,
                                                  std::int32_t count_max) override;
    Result<std::optional<Instant>> next_timer(Instant after) override;
    Result<std::vector<Due<JobKey>>> expired_leases(Instant now,
                                                    const std::optional<Due<JobKey>>& after,
                                                    std::int32_t count_max) override;
    Result<std::optional<Instant>> next_lease_expiry(Instant after) override;
    Result<std::optional<DefinitionName>> next_definition(const DefinitionName& after) override;
    Result<std::vector<InstanceEnd>> instance_ends(const DefinitionName& definition,
                                                   InstanceId after, InstanceId before,
                                                   std::int32_t count_max) override;
    Result<std::optional<WorkspaceId>> next_audited_workspace(const WorkspaceId& after) override;
    Result<std::vector<AuditKey>> oldest_audit_entries(const WorkspaceId& workspace_id,
                                                       AuditEntryId before,
                                                       std::int32_t count_max) override;

    // Of the queue: sqlite_queue_reader.cpp.
    Result<std::optional<StoredExecution>> execution(ExecutionId id) override;
    Result<Listing<Execution>> executions(const ExecutionFilter& filter, Page page) override;
    Result<std::optional<Workspace>> workspace(const WorkspaceId& id) override;
    Result<Listing<Workspace>> workspaces(Page page) override;
    Result<std::optional<QueueOverview>> queue(const WorkspaceId& id) override;
    Result<std::vector<QueueOverview>> busy_queues(const WorkspaceId& after,
                                                   std::int32_t count_max) override;
    Result<std::vector<DeadLetterGroup>> dead_letter_groups(const WorkspaceId& workspace_id,
                                                            std::int32_t count_max) override;
    Result<std::int64_t> dead_letters(const WorkspaceId& workspace_id) override;
    Result<QueuePosition> position(const Execution& execution) override;
    Result<std::vector<Execution>> slot_holders(const WorkspaceId& workspace_id,
                                                const std::string& concurrency_key,
                                                std::int32_t count_max) override;
    Result<std::vector<ExecutionKey>> due_executions(Instant now, std::int32_t count_max) override;
    Result<std::optional<Instant>> next_due_execution() override;
    Result<std::vector<ExecutionKey>> unattended_executions(Unattended which, Instant now,
                                                            std::int32_t count_max) override;
    Result<std::optional<Instant>> next_unattended_execution(Unattended which) override;
    Result<std::vector<ExecutionKey>> stale_claims(Instant claimed_before,
                                                   std::int32_t count_max) override;
    Result<std::vector<Execution>> execution_ends(const WorkspaceId& workspace_id,
                                                  const std::string& definition_id,
                                                  ExecutionId after, ExecutionId before,
                                                  std::int32_t count_max) override;

private:
    // Calls `read(Connection&) -> Result<Value>` in one snapshot, on a new connection after a
    // failure.
    template <class Value, class Read>
    Result<Value> in_snapshot(Read read);
    template <class Value, class Read>
    Result<Value> try_in_snapshot(Read read);

    std::string path_;
    TroubleNote on_trouble_;
    std::optional<Connection> connection_;
};

template <class Value, class Read>
Result<Value> SqliteReader::in_snapshot(Read read) {
    Result<Value> value = try_in_snapshot<Value>(std::move(read));
    if (!value) note_trouble(on_trouble_, value.error());
    return value;
}

template <class Value, class Read>
Result<Value> SqliteReader::try_in_snapshot(Read read) {
    if (!connection_) {
        Result<Connection> opened = Connection::open(path_, Connection::Mode::read_only);
        if (!opened) return opened.error();
        connection_.emplace(std::move(*opened));
    }
    Result<Value> value = Error{};
    if (Status begun = connection_->begin_read(); begun) {
        value = read(*connection_);
    } else {
        value = begun.error();
    }
    const bool is_usable = connection_->rollback();
    const bool is_sick = !value && value.error().code == ErrorCode::unavailable;
    if (!is_usable || is_sick) connection_.reset();
    return value;
}

}  // namespace millrace::sqlite
