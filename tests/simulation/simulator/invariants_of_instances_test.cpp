// Goal: every invariant can fail.
// Method: a ledger in a good state; one commit that must not be; the one rule that has to see it.

#include "simulator/invariants_scene.hpp"

namespace millrace::sim {
namespace {

// A commit that changes instance n as `edit` says.
std::function<Writes(Scene&)> changing(std::uint64_t n, std::function<void(Instance&)> edit) {
    return [=](Scene& scene) {
        Instance row = scene.instance(n);
        edit(row);
        return Writes{.instances_changed = {row}};
    };
}

std::function<Writes(Scene&)> changing_job(std::function<void(Job&)> edit) {
    return [=](Scene&) {
        Job row = locked_job(1);
        edit(row);
        return Writes{.jobs_changed = {row}};
    };
}

const std::vector<Bad> kOfInstances{
    {"InstanceMadeTwice", rule_of_rows,
     [](Scene&) { return Writes{.instances_new = {waiting_instance(1, kOrder)}}; }, "made twice"},
    {"ChangeOfNothing", rule_of_rows,
     [](Scene&) { return Writes{.instances_changed = {waiting_instance(9, kOrder)}}; },
     "there is none"},
    {"TwoSuccessors", rule_of_rows,
     [](Scene&) {
         Instance one = waiting_instance(8, kOrder);
         one.parent_id = instance_key(1).id;
         Instance other = waiting_instance(9, kOrder);
         other.parent_id = one.parent_id;
         return Writes{.instances_new = {one, other}};
     },
     "two successors"},
    {"TwoLines", rule_of_rows,
     [](Scene& scene) {
         scene.complete();
         return Writes{.step_executions = {Scene::done_step()}};
     },
     "two lines"},
    {"KeyTwice", rule_of_rows,
     [](Scene&) {
         const IdempotencyRecord record{.key = {kWorkspace, "instance.start", "k"}};
         return Writes{.idempotency_records = {record, record}};
     },
     "taken effect twice"},
    {"VersionLeftOut", rule_of_rows,
     [](Scene&) { return Writes{.definitions = {definition_record("order", 3)}}; },
     "not the next one"},
    {"EndWithoutTime", check_instances,
     changing(1, [](Instance& row) { row.status = InstanceStatus::failed; }), "completed_at"},
    {"AnotherDefinition", check_instances,
     changing(1, [](Instance& row) { row.definition.version = 2; }), "another one"},
    {"NumbersAgain", check_instances, changing(1, [](Instance& row) { row.state.sequence = 1; }),
     "numbers again"},
    {"SameVersion", check_instances,
     changing(1, [](Instance& row) { row.variables = Variables::from_text("{}"); }),
     "same version"},
    {"RemovedWhileOpen", check_instances,
     [](Scene&) { return Writes{.instances_removed = {instance_key(1)}}; }, "before its end"},
    {"ChangedAfterEnd", check_instances,
     [](Scene& scene) {
         scene.complete();
         Instance row = scene.instance(1);
         row.state.variables_version += 1;
         return Writes{.instances_changed = {row}};
     },
     "after its end"},
    {"DefinitionOfNowhere", check_instances,
     [](Scene&) {
         return Writes{.instances_new = {waiting_instance(9, {7, "no", 1})}};
     },
     "nowhere"},
    {"JobLost", check_parts, [](Scene&) { return Writes{.jobs_removed = {job_key(1)}}; },
     "not there"},
    {"JobLeft", check_parts,
     changing(1,
              [](Instance& row) {
                  row.status = InstanceStatus::cancelled;
                  row.completed_at = kNoon;
              }),
     "is over and has rows"},
    {"JobForNobody", check_parts,
     changing(1, [](Instance& row) { row.state.open_steps.front().type = StepType::wait; }),
     "does not wait for"},
    {"OfferedWhileSuspended", check_parts,
     [](Scene& scene) {
         Instance row = scene.instance(1);
         row.state.is_suspended = true;
         Job job = locked_job(1);
         job.status = JobState::unlocked;
         job.lease.reset();
         return Writes{.instances_changed = {row}, .jobs_changed = {job}};
     },
     "offers a job"},
    {"KeptForEver", check_parts, changing_job([](Job& job) {
         job.lease = {{}, kNoon, kEndOfTime};
     }),
     "for ever"},
    {"OtherVariables", check_parts,
     changing(1, [](Instance& row) { row.variables = Variables::from_text("{}"); }),
     "at its creation"},
    {"TaskLost", check_parts,
     [](Scene&) {
         return Writes{
             .user_tasks_ended = {{user_task_key(2), UserTaskState::completed, kNoon, "ann"}}};
     },
     "not open"},
    {"TimerLost", check_parts, [](Scene&) { return Writes{.timers_removed = {timer_key(2, 3)}}; },
     "no row"},
    {"TimerLeft", check_parts,
     changing(2, [](Instance& row) { row.state.open_steps.front().timers.pop_back(); }),
     "for nothing"},
    {"JoinWithoutTokens", check_parts,
     changing(2,
              [](Instance& row) {
                  row.state.activations = {{9, "join", {}, 0}};
              }),
     "for nobody"},
    {"TokenOfNoGateway", check_parts,
     changing(2, [](Instance& row) { row.state.open_steps.front().activations = {9}; }),
     "gateway that is over"},
    {"NoWayOn", check_parts,
     [](Scene& scene) {
         Instance row = scene.instance(1);
         row.state.open_steps.clear();
         return Writes{.instances_changed = {row}, .jobs_removed = {job_key(1)}};
     },
     "never go on"},
    {"StepWithoutLine", check_history,
     changing(1, [](Instance& row) { row.state.open_steps.clear(); }), "without a line"},
    {"LineOfOpenStep", check_history,
     [](Scene& scene) {
         return Writes{.instances_changed = {scene.instance(1)},
                       .jobs_removed = {job_key(1)},
                       .step_executions = {Scene::done_step()}};
     },
     "is open and has a line"},
    {"LineOfNothing", check_history,
     [](Scene& scene) {
         StepExecution line = closed_step(1, 7);
         return Writes{.instances_changed = {scene.instance(1)}, .step_executions = {line}};
     },
     "without being open"},
    {"CompletedTwice", check_history,
     [](Scene& scene) {
         StepExecution line = Scene::done_step();
         line.tries.push_back(line.tries.front());
         return Writes{.instances_changed = {scene.instance(1)},
                       .jobs_removed = {job_key(1)},
                       .step_executions = {line}};
     },
     "2 tries that were completed"},
    {"JoinTwice", check_history,
     [](Scene& scene) {
         Instance row = scene.instance(2);
         row.state.sequence = 9;
         StepExecution join = closed_step(2, 8);
         join.step_id = "join";
         join.step_type = StepType::join_gateway;
         join.job_status.reset();
         return Writes{.instances_changed = {row}, .step_executions = {join}};
     },
     "has fired 1 times for 0 gateways"},
    {"TimerEarly", check_timers,
     changing(2, [](Instance& row) { row.state.open_steps.front().timers.pop_back(); }),
     "fired early"},
    {"TimerLedNowhere", check_timers,
     changing(2, [](Instance& row) { row.state.open_steps.front().timers.pop_back(); }),
     "led nowhere", 60s},
    {"TimerMoved", check_timers,
     changing(2, [](Instance& row) { row.state.open_steps.front().timers[0].fire_at += 1s; }),
     "was moved"},
    {"InterruptedEarly", check_timers,
     [](Scene& scene) {
         Instance row = scene.instance(2);
         row.state.open_steps.clear();
         StepExecution line = closed_step(2);
         line.failure_reason = "interrupted by boundary timer";
         return Writes{.instances_changed = {row}, .step_executions = {line}};
     },
     "interrupted it early", 59s},
    {"TimerMissing", check_timers,
     [](Scene&) {
         Instance row = Scene::at_task();
         row.key = instance_key(9);
         row.state.open_steps.front().timers.pop_back();
         return Writes{.instances_new = {row}};
     },
     "is missing"},
    {"TimerAtAnotherTime", check_timers,
     [](Scene&) {
         Instance row = Scene::at_task();
         row.key = instance_key(9);
         row.state.open_steps.front().timers.front().fire_at -= 1s;
         return Writes{.instances_new = {row}};
     },
     "another time"},
    {"TaskOverBeforeItsStep", check_user_tasks,
     [](Scene&) {
         return Writes{
             .user_tasks_ended = {{user_task_key(2), UserTaskState::completed, kNoon, "ann"}}};
     },
     "its step is not"},
    {"SuccessorOfNobody", check_chains,
     [](Scene&) {
         Instance row = waiting_instance(9, kOrder);
         row.parent_id = instance_key(77).id;
         return Writes{.instances_new = {row}};
     },
     "its workspace does not have"},
    {"SuccessorTooEarly", check_chains,
     [](Scene&) {
         Instance row = waiting_instance(9, kOrder);
         row.parent_id = instance_key(1).id;
         return Writes{.instances_new = {row}};
     },
     "not COMPLETED"},
};

const std::vector<Bad> kOfJobs{
    {"TokenLowered", check_jobs, changing_job([](Job& job) { job.lease_token = 0; }), "went from"},
    {"TokenJumps", check_jobs, changing_job([](Job& job) { job.lease_token = 3; }), "went from"},
    {"TokenNotRaised", check_jobs,
     changing_job([](Job& job) { job.lease->worker_id = kOtherWorker; }), "another holder"},
    {"LeaseShortened", check_jobs, changing_job([](Job& job) { job.lease->lock_expires_at -= 1s; }),
     "shortened"},
    {"LeaseWithoutLock", check_jobs,
     changing_job([](Job& job) { job.status = JobState::unlocked; }), "has a lease"},
    {"RowOfAnEnd", check_jobs, changing_job([](Job& job) { job.status = JobState::completed; }),
     "is over and has a row"},
    {"RetryWithoutFailure", check_jobs, changing_job([](Job& job) { job.retries_remaining = 0; }),
     "without a failure"},
    {"RetryGivenBack", check_jobs, changing_job([](Job& job) { job.retries_remaining = 2; }),
     "used -1 retries"},
    {"NewWithToken", check_jobs,
     [](Scene&) {
         Job job = unlocked_job(9);
         job.lease_token = 4;
         return Writes{.jobs_new = {job}};
     },
     "is new and has"},
    {"GoneWithoutLine", check_jobs, [](Scene&) { return Writes{.jobs_removed = {job_key(1)}}; },
     "without a line"},
    {"CompletedByAStranger", check_jobs,
     [](Scene&) {
         StepExecution line = Scene::done_step();
         line.tries.front().worker_id = kOtherWorker;
         return Writes{.jobs_removed = {job_key(1)}, .step_executions = {line}};
     },
     "another than its holder"},
    {"ExpiredEarly", check_jobs,
     [](Scene& scene) {
         Instance row = scene.instance(1);
         row.state.open_steps.front().tries = {{.lease_token = 1, .outcome = TryOutcome::expired}};
         Job job = locked_job(1);
         job.status = JobState::unlocked;
         job.lease.reset();
         return Writes{.instances_changed = {row}, .jobs_changed = {job}};
     },
     "before its time", 29s},
    {"DelayCutShort", check_jobs,
     [](Scene& scene) {
         Job job = locked_job(1);
         job.lease = {{}, kNoon, kNoon + 30s};
         scene.ledger.apply({.jobs_changed = {job}}, kNoon);
         job.status = JobState::unlocked;
         job.lease.reset();
         return Writes{.jobs_changed = {job}};
     },
     "before its delay", 29s},
};

class InvariantsOfInstances : public testing::TestWithParam<Bad> {};

TEST_P(InvariantsOfInstances, SeeWhatMustNotBe) {
    const std::string found = found_by(GetParam());
    EXPECT_NE(found.find(GetParam().sentence), std::string::npos) << found;
}

INSTANTIATE_TEST_SUITE_P(Instances, InvariantsOfInstances, testing::ValuesIn(kOfInstances),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Jobs, InvariantsOfInstances, testing::ValuesIn(kOfJobs), name_of);

TEST(Completions, MayComeFromAnybodyOnceTheHolderHasFailed) {
    Scene scene;
    StepExecution line = Scene::done_step();
    Try failed = line.tries.front();
    failed.outcome = TryOutcome::failed;
    line.tries.front().worker_id = kOtherWorker;
    line.tries.insert(line.tries.begin(), failed);
    Findings findings;
    const Writes writes{.jobs_removed = {job_key(1)}, .step_executions = {line}};
    const Changes changes = scene.ledger.apply(writes, kNoon);
    check_jobs(changes, scene.ledger, findings);
    EXPECT_EQ(findings.first(), std::nullopt);
}

TEST(Claims, TakeWhatNobodyHas) {
    Scene scene;
    Job job = locked_job(1);
    job.lease->worker_id = kOtherWorker;
    job.lease_token = 2;
    Findings findings;
    const Changes changes = scene.ledger.claim({{job, {}}}, kNoon);
    check_jobs(changes, scene.ledger, findings);
    EXPECT_NE(findings.first().value_or("").find("somebody has it"), std::string::npos);
}

}  // namespace
}  // namespace millrace::sim
