#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "store/reader.hpp"
#include "support/forwarding_database.hpp"

namespace millrace {

// Reads as the inner one does, unless somebody who is asked before each read has an error for it.
class WatchedReader final : public Reader {
public:
    using FailureOf = std::function<std::optional<Error>()>;

    WatchedReader(std::unique_ptr<Reader> inner, FailureOf next_failure)
        : inner_(std::move(inner)), next_failure_(std::move(next_failure)) {}

    Result<std::optional<StoredExecution>> execution(ExecutionId id) override {
        return ask(&Reader::execution, id);
    }
    Result<Listing<Execution>> executions(const ExecutionFilter& filter, Page page) override {
        return ask(&Reader::executions, filter, page);
    }
    Result<std::optional<Workspace>> workspace(const WorkspaceId& id) override {
        return ask(&Reader::workspace, id);
    }
    Result<Listing<Workspace>> workspaces(Page page) override {
        return ask(&Reader::workspaces, page);
    }
    Result<std::optional<QueueOverview>> queue(const WorkspaceId& id) override {
        return ask(&Reader::queue, id);
    }
    Result<std::vector<QueueOverview>> busy_queues(const WorkspaceId& after,
                                                   std::int32_t count_max) override {
        return ask(&Reader::busy_queues, after, count_max);
    }
    Result<std::vector<DeadLetterGroup>> dead_letter_groups(const WorkspaceId& workspace_id,
                                                            std::int32_t count_max) override {
        return ask(&Reader::dead_letter_groups, workspace_id, count_max);
    }
    Result<std::int64_t> dead_letters(const WorkspaceId& workspace_id) override {
        return ask(&Reader::dead_letters, workspace_id);
    }
    Result<QueuePosition> position(const Execution& execution) override {
        return ask(&Reader::position, execution);
    }
    Result<std::vector<Execution>> slot_holders(const WorkspaceId& workspace_id,
                                                const std::string& concurrency_key,
                                                std::int32_t count_max) override {
        return ask(&Reader::slot_holders, workspace_id, concurrency_key, count_max);
    }
    Result<std::vector<ExecutionKey>> due_executions(Instant now, std::int32_t count_max) override {
        return ask(&Reader::due_executions, now, count_max);
    }
    Result<std::optional<Instant>> next_due_execution() override {
        return ask(&Reader::next_due_execution);
    }
    Result<std::vector<ExecutionKey>> unattended_executions(Unattended which, Instant now,
                                                            std::int32_t count_max) override {
        return ask(&Reader::unattended_executions, which, now, count_max);
    }
    Result<std::optional<Instant>> next_unattended_execution(Unattended which) override {
        return ask(&Reader::next_unattended_execution, which);
    }
    Result<std::vector<ExecutionKey>> stale_claims(Instant claimed_before,
                                                   std::int32_t count_max) override {
        return ask(&Reader::stale_claims, claimed_before, count_max);
    }
    Result<std::vector<Execution>> execution_ends(const WorkspaceId& workspace_id,
                                                  const std::string& definition_id,
                                                  ExecutionId after, ExecutionId before,
                                                  std::int32_t count_max) override {
        return ask(&Reader::execution_ends, workspace_id, definition_id, after, before, count_max);
    }

    Result<std::optional<DefinitionRecord>> definition(const WorkspaceId& workspace_id,
                                                       const std::string& id,
                                                       std::int32_t version) override {
        return ask(&Reader::definition, workspace_id, id, version);
    }
    Result<Listing<DefinitionSummary>> definitions(const DefinitionFilter& filter,
                                                   Page page) override {
        return ask(&Reader::definitions, filter, page);
    }
    Result<bool> is_definition_elsewhere(const WorkspaceId& workspace_id,
                                         const std::string& id) override {
        return ask(&Reader::is_definition_elsewhere, workspace_id, id);
    }
    Result<Listing<DefinitionSummary>> definition_versions(const WorkspaceId& workspace_id,
                                                           const std::string& id,
                                                           Page page) override {
        return ask(&Reader::definition_versions, workspace_id, id, page);
    }
    Result<std::optional<Instance>> instance(const InstanceKey& key) override {
        return ask(&Reader::instance, key);
    }
    Result<std::optional<WorkspaceId>> workspace_of_instance(InstanceId id) override {
        return ask(&Reader::workspace_of_instance, id);
    }
    Result<Listing<Instance>> instances(const InstanceFilter& filter, Page page) override {
        return ask(&Reader::instances, filter, page);
    }
    Result<std::optional<InstanceHistory>> history(const InstanceKey& key,
                                                   const HistoryPart& part) override {
        if (const std::optional<Error> failure = next_failure_()) return *failure;
        return inner_->history(key, part);
    }
    Result<std::optional<Job>> job(const JobKey& key) override { return ask(&Reader::job, key); }
    Result<Listing<Job>> jobs(const JobFilter& filter, Page page) override {
        return ask(&Reader::jobs, filter, page);
    }
    Result<std::optional<UserTask>> user_task(const UserTaskKey& key) override {
        return ask(&Reader::user_task, key);
    }
    Result<Listing<UserTask>> user_tasks(const UserTaskFilter& filter, Page page) override {
        return ask(&Reader::user_tasks, filter, page);
    }
    Result<std::optional<ApiKey>> api_key(const std::string& id) override {
        return ask(&Reader::api_key, id);
    }
    Result<Listing<ApiKey>> api_keys(const ApiKeyFilter& filter, Page page) override {
        return ask(&Reader::api_keys, filter, page);
    }
    Result<Listing<AuditEntry>> audit(const AuditFilter& filter, Page page) override {
        return ask(&Reader::audit, filter, page);
    }
    Result<std::optional<Instant>> oldest_idempotency_record() override {
        return ask(&Reader::oldest_idempotency_record);
    }
    Result<std::vector<Due<TimerKey>>> due_timers(Instant now,
                                                  const std::optional<Due<TimerKey>>& after,
                                                  std::int32_t count_max) override {
        if (const std::optional<Error> failure = next_failure_()) return *failure;
        return inner_->due_timers(now, after, count_max);
    }
    Result<std::optional<Instant>> next_timer(Instant after) override {
        return ask(&Reader::next_timer, after);
    }
    Result<std::vector<Due<JobKey>>> expired_leases(Instant now,
                                                    const std::optional<Due<JobKey>>& after,
                                                    std::int32_t count_max) override {
        if (const std::optional<Error> failure = next_failure_()) return *failure;
        return inner_->expired_leases(now, after, count_max);
    }
    Result<std::optional<Instant>> next_lease_expiry(Instant after) override {
        return ask(&Reader::next_lease_expiry, after);
    }
    Result<std::optional<DefinitionName>> next_definition(const DefinitionName& after) override {
        return ask(&Reader::next_definition, after);
    }
    Result<std::vector<InstanceEnd>> instance_ends(const DefinitionName& definition,
                                                   InstanceId after, InstanceId before,
                                                   std::int32_t count_max) override {
        return ask(&Reader::instance_ends, definition, after, before, count_max);
    }
    Result<std::optional<WorkspaceId>> next_audited_workspace(const WorkspaceId& after) override {
        return ask(&Reader::next_audited_workspace, after);
    }
    Result<std::vector<AuditKey>> oldest_audit_entries(const WorkspaceId& workspace_id,
                                                       AuditEntryId before,
                                                       std::int32_t count_max) override {
        return ask(&Reader::oldest_audit_entries, workspace_id, before, count_max);
    }

private:
    template <class Answer, class Base, class... Parameters, class... Arguments>
    Answer ask(Answer (Base::*read)(Parameters...), const Arguments&... arguments) {
        if (const std::optional<Error> failure = next_failure_()) return *failure;
        return ((*inner_).*read)(arguments...);
    }

    std::unique_ptr<Reader> inner_;
    const FailureOf next_failure_;
};

// Asked before each read; true: it fails. Empty: none does.
using LosesRead = std::function<bool()>;

// A database whose reads can be lost, with the rest as it is.
class LossyDatabase final : public ForwardingDatabase {
public:
    // Which ones are lost may change at any time.
    LossyDatabase(Database& inner, const LosesRead& loses_read)
        : ForwardingDatabase(inner), loses_read_(loses_read) {}

    std::unique_ptr<Reader> reader() override {
        return std::make_unique<WatchedReader>(inner().reader(), [this]() -> std::optional<Error> {
            const bool is_lost = loses_read_ && loses_read_();
            if (!is_lost) return std::nullopt;
            return Error{ErrorCode::unavailable, "injected"};
        });
    }

private:
    const LosesRead& loses_read_;
};

}  // namespace millrace
