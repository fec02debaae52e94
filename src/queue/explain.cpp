#include "queue/explain.hpp"

#include <algorithm>

#include "core/limits.hpp"
#include "engine/get_job.hpp"

namespace millrace {

namespace {

constexpr std::int32_t kHoldersMax = 20;  // Enough to see who they are.
Page all_of_an_instance() {
    return {.size = limits::kPageSizeMax};
}

Error not_found(const std::string& kind, const std::string& id) {
    return {ErrorCode::not_found, kind + " \"" + id + "\" not found"};
}

Result<JobFacts> facts_of(const Job& job, const ExplainContext& context, Reader& reader) {
    JobFacts facts{.job = job};
    if (context.workers) {
        facts.workers = context.workers({job.key.workspace_id, job.job_type});
    }
    if (job.lease || is_over(job.status)) return facts;
    const JobFilter waiting{.workspace_id = job.key.workspace_id,
                            .job_type = job.job_type.value,
                            .status = JobState::unlocked};
    const Result<Listing<Job>> others = reader.jobs(waiting, {.size = 1});
    if (!others) return others.error();
    facts.waiting = others->total;
    return facts;
}

Result<InstanceFacts> facts_of(const InstanceKey& key, const ExplainContext& context,
                               Reader& reader) {
    const Result<std::optional<Instance>> instance = reader.instance(key);
    if (!instance) return instance.error();
    if (!*instance) return not_found("instance", to_string(key.id.value));
    InstanceFacts facts{.instance = **instance};
    const Result<Listing<Job>> jobs = reader.jobs(
        {.workspace_id = key.workspace_id, .instance_id = key.id}, all_of_an_instance());
    if (!jobs) return jobs.error();
    for (const Job& job : jobs->items) {
        Result<JobFacts> job_facts = facts_of(job, context, reader);
        if (!job_facts) return job_facts.error();
        facts.jobs.push_back(std::move(*job_facts));
    }
    const UserTaskFilter open_tasks{
        .workspace_id = key.workspace_id, .status = UserTaskState::open, .instance_id = key.id};
    Result<Listing<UserTask>> tasks = reader.user_tasks(open_tasks, all_of_an_instance());
    if (!tasks) return tasks.error();
    facts.user_tasks = std::move(tasks->items);
    return facts;
}

// What its workspace and the others in line have to do with it.
Status add_line(ExecutionFacts& facts, const ExplainContext& context, Reader& reader) {
    const WorkspaceId& workspace_id = facts.execution.key.workspace_id;
    const Result<std::optional<QueueOverview>> queue = reader.queue(workspace_id);
    if (!queue) return queue.error();
    if (!*queue) return ok();
    facts.workspace = (*queue)->workspace;
    facts.line = (*queue)->line;
    facts.active = (*queue)->counts.claimed + (*queue)->counts.dispatched;
    facts.limits = limits_of(*facts.workspace, context.plans);
    Result<std::vector<Execution>> holders = reader.slot_holders(workspace_id, {}, kHoldersMax);
    if (!holders) return holders.error();
    facts.holders = std::move(*holders);
    if (!facts.execution.concurrency_key.empty()) {
        const std::int32_t count = std::max(kHoldersMax, facts.limits.max_per_key);
        Result<std::vector<Execution>> of_key =
            reader.slot_holders(workspace_id, facts.execution.concurrency_key, count);
        if (!of_key) return of_key.error();
        facts.key_holders = std::move(*of_key);
    }
    const Result<QueuePosition> position = reader.position(facts.execution);
    if (!position) return position.error();
    facts.before = position->before;
    facts.is_before_capped = position->is_capped;
    return ok();
}

Result<bool> has_definition(const Execution& execution, Reader& reader) {
    const Result<std::optional<DefinitionRecord>> record = reader.definition(
        execution.key.workspace_id, execution.definition.id, execution.definition.version);
    if (!record) return record.error();
    return record->has_value();
}

}  // namespace

Result<Explanation> read(const ExplainExecution& query, Reader& reader) {
    const Result<std::optional<StoredExecution>> stored = reader.execution(query.id);
    if (!stored) return stored.error();
    const bool is_foreign = *stored && !query.workspace_id.value.empty() &&
                            (*stored)->execution.key.workspace_id != query.workspace_id;
    if (!*stored || is_foreign) return not_found("execution", to_string(query.id.value));
    ExecutionFacts facts{.execution = (*stored)->execution, .process = query.context.process};
    if (facts.execution.queue_status == QueueStatus::pending) {
        if (const Status status = add_line(facts, query.context, reader); !status) {
            return status.error();
        }
        const Result<bool> is_there = has_definition(facts.execution, reader);
        if (!is_there) return is_there.error();
        facts.has_definition = *is_there;
    }
    const bool runs_here = facts.execution.queue_status == QueueStatus::dispatched &&
                           facts.execution.executor == ExecutorKind::native;
    if (runs_here) {
        const InstanceId instance =
            facts.execution.instance_id.value_or(instance_of(facts.execution.key.id));
        Result<InstanceFacts> instance_facts =
            facts_of({instance, facts.execution.key.workspace_id}, query.context, reader);
        if (instance_facts) facts.instance = std::move(*instance_facts);
    }
    return explain(facts, query.context.now);
}

Result<Explanation> read(const ExplainInstance& query, Reader& reader) {
    const Result<InstanceFacts> facts = facts_of(query.key, query.context, reader);
    if (!facts) return facts.error();
    return explain(*facts, query.context.now);
}

Result<Explanation> read(const ExplainJob& query, Reader& reader) {
    const Result<JobView> view = read(GetJob{query.key, query.is_anywhere}, reader);
    if (!view) return view.error();
    Result<JobFacts> facts = facts_of(view->job, query.context, reader);
    if (!facts) return facts.error();
    facts->tries = view->tries;
    return explain(*facts, query.context.now);
}

Result<Explanation> read(const ExplainWorkspace& query, Reader& reader) {
    const Result<std::optional<QueueOverview>> queue = reader.queue(query.id);
    if (!queue) return queue.error();
    if (!*queue) return not_found("workspace", query.id.value);
    WorkspaceFacts facts{.queue = (*queue)->workspace,
                         .limits = limits_of((*queue)->workspace, query.context.plans),
                         .line = (*queue)->line,
                         .process = query.context.process};
    const QueueCounts& counts = (*queue)->counts;
    facts.ready = counts.ready;
    facts.parked = counts.parked;
    facts.due = counts.due;
    facts.active = counts.claimed + counts.dispatched;
    Result<std::vector<Execution>> holders = reader.slot_holders(query.id, {}, kHoldersMax);
    if (!holders) return holders.error();
    facts.holders = std::move(*holders);
    return explain(facts, query.context.now);
}

}  // namespace millrace
