// The definition of BatchStore: every sentence of its comments is a test here or in one of the
// files beside this one, and every store passes all of them.

#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

class BatchStoreConformance : public StoreTest {};

const std::string kManyScripts = "Größe 日本語 🚀 ' \" \\ %_ \x01\x7F";

Instance instance_with_everything(std::uint64_t n) {
    Instance instance = waiting_instance(n, {17, "order-ß", 3});
    instance.status = InstanceStatus::failed;
    instance.business_key = kManyScripts;
    instance.variables = Variables::from_text(R"({"text":"Größe 日本語 🚀 \u0000","n":1.5})");
    instance.completed_at = kNoon + 1us;
    instance.failure_reason = kManyScripts;
    instance.parent_id = instance_key(n + 1000).id;
    instance.state.failed_sequence = 1;
    instance.state.chain_failure = kManyScripts;
    instance.state.open_steps[0].tries = {
        {kWorker, 1, kNoon, kNoon + 1s, TryOutcome::failed, kManyScripts}};
    instance.state.open_steps[0].first_job = 5;
    instance.state.open_steps[0].is_done = true;
    instance.state.pending_tokens = {{kManyScripts, {1, 2}, 3}, {"b", {}, 0}};
    return instance;
}

StepExecution step_with_everything(std::uint64_t n) {
    StepExecution step = closed_step(n);
    step.attempt_number = 4;
    step.status = StepExecutionStatus::failed;
    step.failure_reason = kManyScripts;
    step.job_status = JobState::failed;
    step.tries = {{kWorker, 1, kNoon, kNoon + 1s, TryOutcome::expired, ""},
                  {kOtherWorker, 2, std::nullopt, kNoon + 2s, TryOutcome::failed, kManyScripts}};
    step.completed_by = kManyScripts;
    return step;
}

TEST_P(BatchStoreConformance, FindsNothingInAnEmptyDatabase) {
    const LoadedRows rows = load({.instances = {instance_key(1)},
                                  .jobs = {job_key(1)},
                                  .step_executions = {step_execution_key(1, 1)}});
    EXPECT_TRUE(rows.instances.empty());
    EXPECT_TRUE(rows.jobs.empty());
    EXPECT_TRUE(rows.step_executions.empty());
    EXPECT_TRUE(rows.instance_definitions.empty());
}

TEST_P(BatchStoreConformance, ReadsBackInstances) {
    const Instance plain = waiting_instance(1, {1, "order", 1});
    Instance full = instance_with_everything(2);
    full.state.trace_parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    full.state.is_traced = true;
    ASSERT_TRUE(write({.instances_new = {plain, full}}));
    EXPECT_EQ(read(plain.key), plain);
    EXPECT_EQ(read(full.key), full);
}

TEST_P(BatchStoreConformance, ReadsBackChangesOfInstances) {
    Instance instance = instance_with_everything(1);
    ASSERT_TRUE(write({.instances_new = {instance}}));

    instance.status = InstanceStatus::active;
    instance.variables = {};
    instance.state = {.sequence = 9};
    instance.completed_at.reset();
    instance.failure_reason.reset();
    ASSERT_TRUE(write({.instances_changed = {instance}}));
    EXPECT_EQ(read(instance.key), instance);
}

TEST_P(BatchStoreConformance, ReadsBackJobs) {
    Job waiting = unlocked_job(1);
    waiting.variables = Variables::from_text(R"({"Größe":"日本語"})");
    Job locked = locked_job(2);
    locked.try_timeout = 90s;
    locked.trace_parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    locked.first_sequence = 7;
    locked.job_type = {kManyScripts};
    locked.step_id = kManyScripts;
    locked.lease->worker_id = {kManyScripts};
    ASSERT_TRUE(write({.jobs_new = {waiting, locked}}));

    waiting.seq = read(waiting.key).value().seq;
    EXPECT_EQ(read(waiting.key), waiting);
    EXPECT_EQ(read(locked.key), locked);
}

TEST_P(BatchStoreConformance, ReadsBackChangesOfJobs) {
    Job locked = locked_job(1);
    ASSERT_TRUE(write({.jobs_new = {locked, unlocked_job(2)}}));

    Job freed = *expire(locked, kNoon + kLease);
    freed.retries_remaining = 7;
    Job claimed = *claim(read(job_key(2)).value(), kWorker, kLease, kNoon);
    claimed.variables = Variables::from_text(R"({"a":1})");
    ASSERT_TRUE(write({.jobs_changed = {freed, claimed}}));

    freed.seq = read(freed.key).value().seq;
    EXPECT_EQ(read(freed.key), freed);
    EXPECT_EQ(read(claimed.key), claimed);
}

TEST_P(BatchStoreConformance, ReadsBackHistory) {
    StepExecution open_end = closed_step(1);
    open_end.ended_at.reset();
    open_end.job_status.reset();
    const StepExecution full = step_with_everything(2);
    ASSERT_TRUE(write({.step_executions = {open_end, full}}));
    EXPECT_EQ(read(open_end.key), open_end);
    EXPECT_EQ(read(full.key), full);
}

TEST_P(BatchStoreConformance, ReadsBackTimers) {
    ASSERT_TRUE(write({.timers_new = {{timer_key(1), kNoon + 1us}}}));
    EXPECT_EQ(*reader_->next_timer(Instant{}), kNoon + 1us);
    EXPECT_EQ(*reader_->due_timers(kNoon + 1us, 9), std::vector{timer_key(1)});
}

TEST_P(BatchStoreConformance, ReadsBackUserTasks) {
    UserTask full = open_user_task(1);
    full.name = kManyScripts;
    full.assignee = kManyScripts;
    full.candidate_groups = {"clerks", kManyScripts};
    full.claimed_at = kNoon + 1us;
    full.ended_at = kNoon + 2us;
    full.completed_by = kManyScripts;
    full.status = UserTaskState::completed;
    const Writes insertion{.user_tasks_new = {full, open_user_task(2)}};
    ASSERT_TRUE(write(insertion));
    EXPECT_EQ(read(full.key), full);
    EXPECT_EQ(*reader_->user_task(full.key), full);
    EXPECT_EQ(read(user_task_key(2)), open_user_task(2));
    EXPECT_EQ(code_of(write(insertion)), ErrorCode::data_refused);
}

TEST_P(BatchStoreConformance, ReadsBackChangesOfUserTasks) {
    ASSERT_TRUE(write({.user_tasks_new = {open_user_task(1), open_user_task(2)}}));
    UserTask claimed = open_user_task(1);
    claimed.assignee = "ada";
    claimed.claimed_at = kNoon + 1s;
    UserTask ended = open_user_task(2);
    ended.status = UserTaskState::cancelled;
    ended.ended_at = kNoon + 2s;
    ASSERT_TRUE(write({.user_tasks_changed = {claimed},
                       .user_tasks_ended = {{ended.key, ended.status, *ended.ended_at, ""}}}));
    EXPECT_EQ(read(claimed.key), claimed);
    EXPECT_EQ(read(ended.key), ended);
}

TEST_P(BatchStoreConformance, RemovesRows) {
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1), unlocked_job(2)},
                       .timers_new = {{timer_key(1), kNoon}, {timer_key(2), kNoon}}}));
    ASSERT_TRUE(write({.jobs_removed = {job_key(1)}, .timers_removed = {timer_key(1)}}));
    EXPECT_EQ(read(job_key(1)), std::nullopt);
    EXPECT_NE(read(job_key(2)), std::nullopt);
    EXPECT_EQ(*reader_->due_timers(kNoon, 9), std::vector{timer_key(2)});
}

TEST_P(BatchStoreConformance, RemovesRowsThatAreGoneAlready) {
    EXPECT_TRUE(write({.jobs_removed = {job_key(1)}, .timers_removed = {timer_key(1)}}));
    EXPECT_TRUE(write({.user_tasks_ended = {{user_task_key(1)}}}));
}

TEST_P(BatchStoreConformance, StoresVariablesOfJobsThatAreNotLoaded) {
    const Variables snapshot = Variables::from_text(R"({"then":1})");
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1), unlocked_job(2)}}));
    ASSERT_TRUE(write({.job_variables = {{job_key(1), snapshot}, {job_key(3), snapshot}}}));
    EXPECT_EQ(read(job_key(1)).value().variables, snapshot);
    EXPECT_EQ(read(job_key(2)).value().variables, std::nullopt);
    EXPECT_EQ(read(job_key(3)), std::nullopt);
}

TEST_P(BatchStoreConformance, KeepsWorkspacesApart) {
    Instance foreign = moved_away(waiting_instance(1, {1, "order", 1}));
    foreign.business_key = "theirs";
    const Instance own = waiting_instance(1, {1, "order", 1});
    ASSERT_TRUE(
        write({.instances_new = {own, foreign},
               .jobs_new = {unlocked_job(1), moved_away(unlocked_job(1))},
               .timers_new = {{timer_key(1), kNoon}, moved_away(Timer{timer_key(1), kNoon})},
               .user_tasks_new = {open_user_task(1), moved_away(open_user_task(1))},
               .step_executions = {closed_step(1), moved_away(closed_step(1))}}));
    EXPECT_EQ(read(own.key), own);
    EXPECT_EQ(read(foreign.key), foreign);

    ASSERT_TRUE(write({.jobs_removed = {job_key(1)}, .timers_removed = {timer_key(1)}}));
    EXPECT_EQ(read(job_key(1)), std::nullopt);
    EXPECT_NE(read(moved_away(unlocked_job(1)).key), std::nullopt);
    EXPECT_EQ(reader_->due_timers(kNoon, 9)->size(), 1u);
}

TEST_P(BatchStoreConformance, RefusesRowsThatAreThereAlready) {
    const Writes rows[] = {
        {.instances_new = {waiting_instance(1)}}, {.jobs_new = {unlocked_job(1)}},
        {.timers_new = {{timer_key(1), kNoon}}},  {.step_executions = {closed_step(1)}},
        {.definitions = {definition_record()}},
    };
    for (const Writes& row : rows) {
        ASSERT_TRUE(write(row));
        EXPECT_EQ(code_of(write(row)), ErrorCode::data_refused);
    }
}

TEST_P(BatchStoreConformance, WritesNothingWhenTheDataIsRefused) {
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1)}, .timers_new = {{timer_key(1), kNoon}}}));
    const Status status = write({.instances_new = {waiting_instance(1), waiting_instance(2)},
                                 .jobs_new = {unlocked_job(2)},
                                 .jobs_removed = {job_key(1)},
                                 .timers_new = {{timer_key(1), kNoon}},
                                 .step_executions = {closed_step(1)},
                                 .definitions = {definition_record()}});
    EXPECT_EQ(code_of(status), ErrorCode::data_refused);
    EXPECT_EQ(read(instance_key(1)), std::nullopt);
    EXPECT_EQ(read(instance_key(2)), std::nullopt);
    EXPECT_EQ(read(job_key(2)), std::nullopt);
    EXPECT_NE(read(job_key(1)), std::nullopt);
    EXPECT_EQ(read(step_execution_key(1, 1)), std::nullopt);
    EXPECT_EQ(*reader_->definition(kWorkspace, "order", 0), std::nullopt);
}

// One row for each column of text; `poison` is what no database keeps.
std::vector<std::pair<std::string, Writes>> poisoned(const std::string& poison) {
    Instance business_key = waiting_instance(1);
    business_key.business_key = poison;
    Instance failure_reason = waiting_instance(1);
    failure_reason.failure_reason = poison;
    Instance workspace = waiting_instance(1);
    workspace.key.workspace_id = {poison};
    Job job_type = unlocked_job(1);
    job_type.job_type = {poison};
    Job job_step = unlocked_job(1);
    job_step.step_id = poison;
    Job worker = locked_job(1);
    worker.lease->worker_id = {poison};
    StepExecution message = closed_step(1);
    message.failure_reason = poison;
    StepExecution completed_by = closed_step(1);
    completed_by.completed_by = poison;
    DefinitionRecord name = definition_record();
    name.name = poison;
    UserTask assignee = open_user_task(1);
    assignee.assignee = poison;
    UserTask group = open_user_task(1);
    group.candidate_groups = {poison};
    return {
        {"instance business key", {.instances_new = {business_key}}},
        {"instance failure reason", {.instances_new = {failure_reason}}},
        {"workspace", {.instances_new = {workspace}}},
        {"job type", {.jobs_new = {job_type}}},
        {"step of a job", {.jobs_new = {job_step}}},
        {"worker", {.jobs_new = {worker}}},
        {"message", {.step_executions = {message}}},
        {"who completed a task", {.step_executions = {completed_by}}},
        {"assignee", {.user_tasks_new = {assignee}}},
        {"candidate group", {.user_tasks_new = {group}}},
        {"definition", {.definitions = {name}}},
    };
}

TEST_P(BatchStoreConformance, RefusesNulAndBadUtf8) {
    for (const std::string& poison : {std::string("a\0b", 3), std::string("\xC3(")}) {
        for (auto& [what, writes] : poisoned(poison)) {
            SCOPED_TRACE(what);
            writes.instances_new.insert(writes.instances_new.begin(), waiting_instance(0));
            EXPECT_EQ(code_of(write(writes)), ErrorCode::data_refused);
            EXPECT_EQ(read(instance_key(0)), std::nullopt);
        }
    }
    EXPECT_TRUE(write({.instances_new = {waiting_instance(0)}}));
}

TEST_P(BatchStoreConformance, AppliesABatchWithNothingToWrite) {
    ASSERT_TRUE(store_->load({.instances = {instance_key(1)}}));
    EXPECT_TRUE(store_->apply({}));
    EXPECT_TRUE(write({.instances_new = {waiting_instance(1)}}));
}

TEST_P(BatchStoreConformance, AbandonsWithoutATrace) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1)}}));
    ASSERT_TRUE(store_->load({.instances = {instance_key(1)}}));
    store_->abandon();
    EXPECT_EQ(read(instance_key(1)), waiting_instance(1));
}

TEST_P(BatchStoreConformance, LeavesNoTraceWhenAConnectionGoesAwayInABatch) {
    {
        const std::unique_ptr<BatchStore> other = world_->database().batch_store();
        ASSERT_TRUE(other->load({.instances = {instance_key(1)}}));
    }
    EXPECT_TRUE(write({.instances_new = {waiting_instance(1)}}));
}

TEST_P(BatchStoreConformance, ExtendsABatchByWhatIsReadWithoutALock) {
    ASSERT_TRUE(write({.step_executions = {closed_step(1)}, .definitions = {definition_record()}}));
    ASSERT_TRUE(store_->load({.instances = {instance_key(2)}}));
    const Result<LoadedRows> more =
        store_->extend({.step_executions = {step_execution_key(1, 1)},
                        .definitions = {{kWorkspace, "none"}, {kWorkspace, "order"}}});
    ASSERT_TRUE(more) << more.error().detail;
    EXPECT_EQ(more->step_executions, std::vector{closed_step(1)});
    ASSERT_EQ(more->definitions.size(), 2u);
    EXPECT_FALSE(more->definitions[0].second);
    EXPECT_TRUE(more->definitions[1].second);

    EXPECT_TRUE(store_->apply({.instances_new = {waiting_instance(2)}}));
    EXPECT_NE(read(instance_key(2)), std::nullopt);
}

TEST_P(BatchStoreConformance, ExtendsABatchByJobsAndUserTasksOfInstancesItHolds) {
    ASSERT_TRUE(write({
        .instances_new = {waiting_instance(1), waiting_instance(2), waiting_instance(3)},
        .jobs_new = {unlocked_job(1), unlocked_job(3)},
        .user_tasks_new = {open_user_task(2), open_user_task(3)},
    }));
    ASSERT_TRUE(store_->load({.instances = {instance_key(1), instance_key(2)}}));
    const Result<LoadedRows> more =
        store_->extend({.jobs = {job_key(1), job_key(2)}, .user_tasks = {user_task_key(2)}});
    ASSERT_TRUE(more) << more.error().detail;
    ASSERT_EQ(more->jobs.size(), 1u) << "instance 2 has none";
    EXPECT_EQ(more->jobs[0].key, job_key(1));
    EXPECT_EQ(more->user_tasks, std::vector{open_user_task(2)});

    const Job kept = keep_back(more->jobs[0], kEndOfTime, kNoon);
    UserTask claimed = more->user_tasks[0];
    claimed.assignee = "ann";
    ASSERT_TRUE(store_->apply({.jobs_changed = {kept}, .user_tasks_changed = {claimed}}));
    EXPECT_EQ(read(job_key(1)), kept);
    EXPECT_EQ(read(user_task_key(2)), claimed);
    EXPECT_EQ(read(job_key(3)).value().status, JobState::unlocked);
}

TEST_P(BatchStoreConformance, ForgetsWhatAnExtendedBatchHeldWhenItIsAbandoned) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1)}, .jobs_new = {unlocked_job(1)}}));
    ASSERT_TRUE(store_->load({.instances = {instance_key(1)}}));
    ASSERT_TRUE(store_->extend({.jobs = {job_key(1)}}));
    store_->abandon();
    const auto claimed = claimer_->claim_jobs(
        {.workspace_id = kWorkspace, .job_type = kCharge, .slots = {{kWorker, kLease}}, .now = [] {
             return kNoon;
         }});
    ASSERT_TRUE(claimed);
    EXPECT_EQ(claimed->size(), 1u);
}

TEST_P(BatchStoreConformance, TakesBigBatches) {
    constexpr std::uint64_t kCount = 1'000;
    Writes writes;
    Footprint footprint;
    for (std::uint64_t n = 1; n <= kCount; ++n) {
        writes.instances_new.push_back(waiting_instance(n));
        writes.jobs_new.push_back(unlocked_job(n));
        writes.timers_new.push_back({timer_key(n), kNoon});
        writes.step_executions.push_back(closed_step(n));
        footprint.instances.push_back(instance_key(n));
        footprint.jobs.push_back(job_key(n));
    }
    ASSERT_TRUE(write(writes));
    LoadedRows rows = load(footprint);
    EXPECT_EQ(rows.instances, writes.instances_new);
    ASSERT_EQ(rows.jobs.size(), kCount);

    for (Job& job : rows.jobs) job = *claim(job, kWorker, kLease, kNoon);
    ASSERT_TRUE(write({.instances_changed = rows.instances, .jobs_changed = rows.jobs}));
    EXPECT_EQ(load(footprint).jobs, rows.jobs);
}

TEST_P(BatchStoreConformance, GivesPlacesInTheOrderOfWriting) {
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1), unlocked_job(2)}}));
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(0), unlocked_job(3)}}));
    const auto seq = [&](std::uint64_t n) {
        return read(job_key(n)).value().seq;
    };
    EXPECT_GT(seq(1), 0);
    EXPECT_LT(seq(1), seq(2));
    EXPECT_LT(seq(2), seq(0));
    EXPECT_LT(seq(0), seq(3));
}

TEST_P(BatchStoreConformance, GivesAJobThatAsksForItANewPlaceAtTheEnd) {
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1), unlocked_job(2)}}));
    ASSERT_TRUE(write({.jobs_changed = {unlocked_job(1)}}));
    EXPECT_GT(read(job_key(1)).value().seq, read(job_key(2)).value().seq);
}

TEST_P(BatchStoreConformance, LeavesAJobItsPlace) {
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1), locked_job(2)}}));
    Job job = read(job_key(1)).value();
    job.retries_remaining = 9;
    ASSERT_TRUE(write({.jobs_changed = {job}}));
    EXPECT_EQ(read(job_key(1)), job);
    EXPECT_EQ(read(job_key(2)).value().seq, 0);
}

MILLRACE_FOR_ALL_STORES(BatchStoreConformance);

}  // namespace
}  // namespace millrace
