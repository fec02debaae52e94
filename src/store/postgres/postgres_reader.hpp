#pragma once

#include "store/postgres/transaction.hpp"
#include "store/reader.hpp"

namespace millrace::postgres {

// One round trip and one snapshot for each call.
class PostgresReader final : public Reader {
public:
    explicit PostgresReader(PostgresOptions options);

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
    // The answers to the given calls alone.
    Result<std::vector<Rows>> run(std::vector<Call> work, Planning planning = Planning::once);
    Result<std::optional<Instant>> read_instant(const sql::Statement& statement,
                                                Parameters parameters = {});

    const PostgresOptions options_;
    Connection connection_;
};

}  // namespace millrace::postgres
