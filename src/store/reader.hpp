#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/instance/instance.hpp"
#include "store/due.hpp"
#include "store/effects.hpp"
#include "store/listing.hpp"
#include "store/queue_reader.hpp"

namespace millrace {

struct DefinitionSummary {
    std::string id{};
    std::int32_t version = 0;
    std::string name{};
    Instant uploaded_at{};

    friend bool operator==(const DefinitionSummary&, const DefinitionSummary&) = default;
};

struct DefinitionFilter {
    WorkspaceId workspace_id{};
    std::string keyword{};  // Part of id or name, whatever the case of ASCII letters; no wildcards.
};

struct InstanceFilter {
    WorkspaceId workspace_id{};
    std::optional<std::string> definition_id{};
    std::vector<InstanceStatus> statuses{};  // Any of them; none: all.
    std::optional<std::string> business_key{};
    std::optional<std::int32_t> definition_version{};
    std::optional<Instant> started_from{};    // Then or later.
    std::optional<Instant> started_before{};  // Earlier.
    std::optional<bool> is_suspended{};
    std::optional<InstanceId> id{};
    // Part of business key, definition id, failure reason or variables, whatever the case of ASCII
    // letters; no wildcards.
    std::string text{};
    bool oldest_first = false;
};

struct UserTaskFilter {
    WorkspaceId workspace_id{};
    std::optional<UserTaskState> status{};
    std::optional<InstanceId> instance_id{};
    std::optional<std::string> definition_id{};
    std::optional<std::string> step_id{};
    std::optional<std::string> assignee{};  // Empty text: nobody has it.
    std::optional<std::string> candidate_group{};
};

struct JobFilter {
    WorkspaceId workspace_id{};
    std::optional<InstanceId> instance_id{};
    std::optional<std::string> job_type{};
    std::optional<JobState> status{};  // unlocked: also what the engine keeps back.
    std::optional<std::string> worker_id{};
};

struct ApiKeyFilter {
    // Empty: the keys of all workspaces and those of none.
    std::optional<WorkspaceId> workspace_id{};
};

struct AuditFilter {
    WorkspaceId workspace_id{};
    std::vector<AuditKind> kinds{};  // Any of them; none: all.
    std::optional<std::string> key_id{};
    std::optional<InstanceId> instance_id{};
    std::optional<Instant> since{};  // Then or later.
    std::optional<Instant> until{};  // Earlier.
};

// A definition, whatever its versions.
struct DefinitionName {
    WorkspaceId workspace_id{};
    std::string id{};

    friend auto operator<=>(const DefinitionName&, const DefinitionName&) = default;
};

struct InstanceEnd {
    InstanceId id{};
    std::optional<Instant> completed_at{};  // Empty while it is open.

    friend bool operator==(const InstanceEnd&, const InstanceEnd&) = default;
};

// Which closed lines of a history: those after a sequence number, until they reach a number or,
// with their tries and reasons, a size.
struct HistoryPart {
    std::uint32_t after = 0;
    std::int32_t count_max = std::numeric_limits<std::int32_t>::max();
    std::int64_t bytes_max = std::numeric_limits<std::int64_t>::max();
};

struct InstanceHistory {
    Instance instance{};
    std::vector<StepExecution> closed{};  // In the order of their ids.
    bool has_more = false;                // There are closed ones after these.
};

// One connection that only reads, each call from one consistent snapshot. Blocks; belongs to one
// thread at a time; connects by itself. Every function may fail with unavailable.
class Reader : public QueueReader {
public:
    // Version 0 is the latest. Empty when there is none.
    virtual Result<std::optional<DefinitionRecord>> definition(const WorkspaceId& workspace_id,
                                                               const std::string& id,
                                                               std::int32_t version) = 0;
    // The highest version of each id, by id.
    virtual Result<Listing<DefinitionSummary>> definitions(const DefinitionFilter& filter,
                                                           Page page) = 0;

    // Whether another workspace than this one has a definition of that id.
    virtual Result<bool> is_definition_elsewhere(const WorkspaceId& workspace_id,
                                                 const std::string& id) = 0;

    // All versions of one id, newest first. `after` is a version.
    virtual Result<Listing<DefinitionSummary>> definition_versions(const WorkspaceId& workspace_id,
                                                                   const std::string& id,
                                                                   Page page) = 0;

    virtual Result<std::optional<Instance>> instance(const InstanceKey& key) = 0;
    // Where an instance is that is known by its id alone; empty when nowhere. Slow where there are
    // many workspaces and it did not come through the queue.
    virtual Result<std::optional<WorkspaceId>> workspace_of_instance(InstanceId id) = 0;
    // Newest first: by id, descending; unless the filter says otherwise. Variables and state count
    // for Page::bytes_max.
    virtual Result<Listing<Instance>> instances(const InstanceFilter& filter, Page page) = 0;
    virtual Result<std::optional<InstanceHistory>> history(const InstanceKey& key,
                                                           const HistoryPart& part) = 0;
    Result<std::optional<InstanceHistory>> history(const InstanceKey& key) {
        return history(key, {});
    }

    // The open job; empty when it is over or never was.
    virtual Result<std::optional<Job>> job(const JobKey& key) = 0;
    // Open ones, by id. Without their variables, which can be large.
    virtual Result<Listing<Job>> jobs(const JobFilter& filter, Page page) = 0;

    virtual Result<std::optional<UserTask>> user_task(const UserTaskKey& key) = 0;
    // Newest first: by id, descending.
    virtual Result<Listing<UserTask>> user_tasks(const UserTaskFilter& filter, Page page) = 0;

    // Whatever its workspace, expired or revoked. Empty when there is none.
    virtual Result<std::optional<ApiKey>> api_key(const std::string& id) = 0;
    // By id.
    virtual Result<Listing<ApiKey>> api_keys(const ApiKeyFilter& filter, Page page) = 0;

    // Newest first: by id, descending.
    virtual Result<Listing<AuditEntry>> audit(const AuditFilter& filter, Page page) = 0;

    // When the oldest idempotency record of all workspaces was made; empty when there is none.
    virtual Result<std::optional<Instant>> oldest_idempotency_record() = 0;

    // Timers of all workspaces that are due, the longest overdue first; those after one.
    virtual Result<std::vector<Due<TimerKey>>> due_timers(Instant now,
                                                          const std::optional<Due<TimerKey>>& after,
                                                          std::int32_t count_max) = 0;
    Result<std::vector<TimerKey>> due_timers(Instant now, std::int32_t count_max) {
        return keys_of_due(due_timers(now, std::nullopt, count_max));
    }
    // When the first timer after that moment is due; empty when there is none.
    virtual Result<std::optional<Instant>> next_timer(Instant after) = 0;

    // The same for leases: locked jobs of all workspaces whose lease has run out.
    virtual Result<std::vector<Due<JobKey>>> expired_leases(Instant now,
                                                            const std::optional<Due<JobKey>>& after,
                                                            std::int32_t count_max) = 0;
    Result<std::vector<JobKey>> expired_leases(Instant now, std::int32_t count_max) {
        return keys_of_due(expired_leases(now, std::nullopt, count_max));
    }
    virtual Result<std::optional<Instant>> next_lease_expiry(Instant after) = 0;

    // What retention goes through, step by step. The first definition behind the given one in the
    // order of id and workspace, of all workspaces; empty at the end. One that is gone counts as
    // long as it has instances or executions.
    virtual Result<std::optional<DefinitionName>> next_definition(const DefinitionName& after) = 0;
    // Instances of a definition with ids behind `after` and before `before`, by id: open ones too,
    // so that a caller sees how far it has come.
    virtual Result<std::vector<InstanceEnd>> instance_ends(const DefinitionName& definition,
                                                           InstanceId after, InstanceId before,
                                                           std::int32_t count_max) = 0;
    // The first workspace behind the given one that has audit entries; empty at the end.
    virtual Result<std::optional<WorkspaceId>> next_audited_workspace(const WorkspaceId& after) = 0;
    // The oldest audit entries of a workspace with ids before `before`, by id.
    virtual Result<std::vector<AuditKey>> oldest_audit_entries(const WorkspaceId& workspace_id,
                                                               AuditEntryId before,
                                                               std::int32_t count_max) = 0;
};

}  // namespace millrace
