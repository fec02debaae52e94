// Goal: a row that cannot be read harms itself alone, whoever has written it.
// Method: rows are spoiled by SQL, beside the store. In memory there is nothing to be spoiled.

#include "store_conformance/admission_test.hpp"

namespace millrace {
namespace {

class Unreadable : public AdmissionTest {
protected:
    void spoil(const std::string& table, const std::string& change, const std::string& rows) {
        world_->spoil(table, change, rows);
    }
};

TEST_P(Unreadable, RowsAreToldApartFromThoseThatAreNotThere) {
    Job spoiled_job = unlocked_job(1);
    spoiled_job.step_id = "spoiled";
    UserTask spoiled_task = open_user_task(1);
    spoiled_task.step_id = "spoiled";
    StepExecution spoiled_line = closed_step(1);
    spoiled_line.step_id = "spoiled";
    Execution spoiled_execution = pending_execution(1);
    spoiled_execution.requested_by = "spoiled";
    Instance spoiled_instance = waiting_instance(1);
    spoiled_instance.business_key = "spoiled";
    ASSERT_TRUE(write({
        .instances_new = {spoiled_instance, waiting_instance(2)},
        .jobs_new = {spoiled_job, unlocked_job(2)},
        .user_tasks_new = {spoiled_task, open_user_task(2)},
        .step_executions = {spoiled_line, closed_step(2)},
        .executions_new = {{spoiled_execution, {}}, {pending_execution(2), {}}},
    }));
    spoil("instance", "state = '{\"newer\":1}'", "business_key = 'spoiled'");
    spoil("job", "retries_remaining = -1", "step_id = 'spoiled'");
    spoil("user_task", "status = 'LOST'", "step_id = 'spoiled'");
    spoil("step_execution", "status = 'LOST'", "step_id = 'spoiled'");
    spoil("execution", "executor = 'steam'", "requested_by = 'spoiled'");

    const LoadedRows rows = load({
        .instances = {instance_key(1), instance_key(2), instance_key(3)},
        .jobs = {job_key(1), job_key(2), job_key(3)},
        .user_tasks = {user_task_key(1), user_task_key(2), user_task_key(3)},
        .step_executions = {step_execution_key(1, 1), step_execution_key(2, 1)},
        .executions = {execution_key(1), execution_key(2), execution_key(3)},
    });
    const UnreadableRows& unreadable = rows.unreadable;
    EXPECT_EQ(unreadable.instances, std::vector{instance_key(1)});
    EXPECT_EQ(unreadable.jobs, std::vector{job_key(1)});
    EXPECT_EQ(unreadable.user_tasks, std::vector{user_task_key(1)});
    EXPECT_EQ(unreadable.step_executions, std::vector{step_execution_key(1, 1)});
    EXPECT_EQ(unreadable.executions, std::vector{execution_key(1)});
    EXPECT_EQ(unreadable.reasons.size(), 5U);
    ASSERT_EQ(rows.instances.size(), 1U);
    EXPECT_EQ(rows.instances.front().key, instance_key(2));
    EXPECT_EQ(rows.jobs.size(), 1U);
    EXPECT_EQ(rows.user_tasks.size(), 1U);
    EXPECT_EQ(rows.step_executions.size(), 1U);
    EXPECT_EQ(rows.executions.size(), 1U);
}

TEST_P(Unreadable, DefinitionsDoNotStopOthers) {
    ASSERT_TRUE(write({.definitions = {definition_record("good"), definition_record("spoiled")}}));
    spoil("definition", "content = '{\"steps\":7}'", "id = 'spoiled'");
    const DefinitionKey good{kWorkspace, "good"};
    const DefinitionKey spoiled{kWorkspace, "spoiled"};
    const DefinitionKey none{kWorkspace, "none"};
    const LoadedRows rows = load({.definitions = {good, spoiled, none}});
    EXPECT_EQ(rows.unreadable.definitions, std::vector{spoiled});
    for (const auto& [key, row] : rows.definitions) EXPECT_EQ(row.has_value(), key == good);
}

TEST_P(Unreadable, AnAdmissionGetsTheOthersOfALine) {
    Execution spoiled = pending_execution(1);
    spoiled.requested_by = "spoiled";
    Writes writes = competing(kWorkspace);
    writes.executions_new = {{spoiled, {}}, {pending_execution(2), {}}};
    ASSERT_TRUE(write(writes));
    spoil("execution", "executor = 'steam'", "requested_by = 'spoiled'");

    const LoadedRows rows = load({.admission = asking()});
    EXPECT_EQ(rows.admission.unreadable, std::vector{execution_key(1)});
    EXPECT_EQ(rows.unreadable.reasons.size(), 1U);
    ASSERT_EQ(rows.admission.lines.size(), 1U);
    EXPECT_EQ(keys(rows.admission.lines.front()), std::vector{execution_key(2)});

    // Only what must be written of it is, and that works.
    ASSERT_TRUE(write({.executions_ended = {{.key = execution_key(1),
                                             .queue_status = QueueStatus::failed,
                                             .reason = std::string(failure::kInvalidInput),
                                             .at = kNoon}}}));
    EXPECT_TRUE(load({.admission = asking()}).admission.unreadable.empty());
}

TEST_P(Unreadable, AnInstanceThatIsToResumeIsToldOf) {
    Execution resuming = pending_execution(1);
    resuming.is_resuming = true;
    resuming.instance_id = instance_key(1).id;
    Instance spoiled = waiting_instance(1);
    spoiled.business_key = "spoiled";
    Writes writes = competing(kWorkspace);
    writes.instances_new = {spoiled};
    writes.executions_new = {{resuming, {}}};
    ASSERT_TRUE(write(writes));
    spoil("instance", "state = 'none'", "business_key = 'spoiled'");
    const AdmissionRows rows = look(asking());
    ASSERT_EQ(rows.lines.size(), 1U);
    ASSERT_EQ(rows.lines.front().ready.size(), 1U);
    EXPECT_TRUE(rows.lines.front().ready.front().is_instance_unreadable);
}

TEST_P(Unreadable, JobsThatWaitAreClaimedPastIt) {
    Job spoiled = unlocked_job(1);
    spoiled.step_id = "spoiled";
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1), waiting_instance(2)},
                       .jobs_new = {spoiled, unlocked_job(2)}}));
    spoil("job", "retries_remaining = -1", "step_id = 'spoiled'");
    const auto claimer = world_->database().job_claimer();
    const ClaimSlot slot{.worker_id = kWorker, .lease_duration = kLease};
    const auto claimed = claimer->claim_jobs({.workspace_id = kWorkspace,
                                              .job_type = unlocked_job(1).job_type,
                                              .slots = {slot, slot},
                                              .now = [] {
                                                  return kNoon;
                                              }});
    ASSERT_TRUE(claimed) << claimed.error().detail;
    ASSERT_EQ(claimed->size(), 1U);
    EXPECT_EQ(claimed->front().job.key, job_key(2));
}

// PostgreSQL gives a lease to those that it cannot read, SQLite reads past them.
TEST_P(Unreadable, ALineOfThemIsPassedByClaimsOfFew) {
    Writes writes;
    for (std::uint64_t n = 1; n <= 6; ++n) {
        writes.instances_new.push_back(waiting_instance(n));
        writes.jobs_new.push_back(unlocked_job(n));
        if (n < 6) writes.jobs_new.back().step_id = "spoiled";
    }
    ASSERT_TRUE(write(writes));
    spoil("job", "retries_remaining = -1", "step_id = 'spoiled'");
    const auto claimer = world_->database().job_claimer();
    std::vector<DeliveredJob> claimed;
    for (int claim = 0; claim < 3 && claimed.empty(); ++claim) {
        const ClaimSlot slot{.worker_id = kWorker, .lease_duration = kLease};
        auto found = claimer->claim_jobs({.workspace_id = kWorkspace,
                                          .job_type = unlocked_job(1).job_type,
                                          .slots = {slot, slot},
                                          .now = [] {
                                              return kNoon;
                                          }});
        ASSERT_TRUE(found) << found.error().detail;
        claimed = std::move(*found);
    }
    ASSERT_EQ(claimed.size(), 1U);
    EXPECT_EQ(claimed.front().job.key, job_key(6));
}

TEST_P(Unreadable, ListsShowTheOthers) {
    Writes writes;
    for (std::uint64_t n = 1; n <= 4; ++n) {
        Instance instance = waiting_instance(n);
        Execution execution = pending_execution(n);
        if (n == 3) instance.business_key = execution.requested_by = "spoiled";
        writes.instances_new.push_back(instance);
        writes.executions_new.push_back({execution, {}});
    }
    ASSERT_TRUE(write(writes));
    spoil("instance", "state = 'none'", "business_key = 'spoiled'");
    spoil("execution", "executor = 'steam'", "requested_by = 'spoiled'");

    const Page page{.size = 2};
    const auto instances = reader_->instances({.workspace_id = kWorkspace}, page);
    ASSERT_TRUE(instances) << instances.error().detail;
    ASSERT_EQ(instances->items.size(), 1U);
    EXPECT_EQ(instances->items.front().key, instance_key(4));
    EXPECT_TRUE(instances->has_more);
    const auto executions = reader_->executions({.workspace_id = kWorkspace}, {.size = 10});
    ASSERT_TRUE(executions) << executions.error().detail;
    EXPECT_EQ(executions->items.size(), 3U);

    // Whoever asks for it alone is told.
    const auto alone = reader_->instance(instance_key(3));
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().code, ErrorCode::internal);
    // Retention sees how far it has come.
    const auto ends =
        reader_->execution_ends(kWorkspace, "order", {}, {first_id_at(kNoon + 1h)}, 10);
    ASSERT_TRUE(ends);
    EXPECT_EQ(ends->size(), 4U);
}

INSTANTIATE_TEST_SUITE_P(Sql, Unreadable, testing::ValuesIn(kSqlCandidates),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace millrace
