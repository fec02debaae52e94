#include <gtest/gtest.h>

#include "core/explain/explain_execution.hpp"
#include "core/queue/transitions.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNow{std::chrono::seconds{1'800'000'000}};

std::vector<std::string> codes_of(const Explanation& explanation) {
    std::vector<std::string> codes;
    for (const Reason& reason : explanation.reasons) codes.push_back(reason.code);
    return codes;
}

using Codes = std::vector<std::string>;

// Nothing stands in its way.
ExecutionFacts waiting() {
    ExecutionFacts facts;
    facts.execution.key = {{Id128{1, 0}}, {"acme"}};
    facts.execution.definition = {.row_id = 1, .id = "order", .version = 2};
    facts.execution.created_at = kNow - 1min;
    facts.workspace = Workspace{.id = {"acme"}, .plan = "PRO"};
    facts.limits = {.max_active = 5};
    return facts;
}

struct Situation {
    const char* name;
    void (*change)(ExecutionFacts&);
    Codes codes;
};

void PrintTo(const Situation& situation, std::ostream* out) {
    *out << situation.name;
}

class WaitingExecutionTest : public testing::TestWithParam<Situation> {};

TEST_P(WaitingExecutionTest, IsExplained) {
    ExecutionFacts facts = waiting();
    GetParam().change(facts);
    const Explanation explanation = explain(facts, kNow);
    EXPECT_EQ(codes_of(explanation), GetParam().codes);
    EXPECT_EQ(explanation.summary, explanation.reasons.front().message);
    for (const Reason& reason : explanation.reasons) EXPECT_FALSE(reason.message.empty());
}

void hold_slots(ExecutionFacts& facts, std::int64_t count) {
    facts.active = count;
    facts.holders = {Execution{.key = {{Id128{2, 0}}, {"acme"}}}};
}

void wait_until_later(ExecutionFacts& facts) {
    facts.execution.place = QueuePlace::due;
    facts.execution.due_at = kNow + 1min;
}

void run_remotely(ExecutionFacts& facts) {
    facts.execution.executor = ExecutorKind::temporal;
    facts.execution.target = "default";
    facts.process.targets.known = {"default"};
}

const Situation kSituations[] = {
    {"nothing", [](ExecutionFacts&) {}, {"ABOUT_TO_START"}},
    {"engine off",
     [](ExecutionFacts& f) { f.process.is_engine_enabled = false; },
     {"ENGINE_DISABLED"}},
    {"workspace gone", [](ExecutionFacts& f) { f.workspace.reset(); }, {"WORKSPACE_GONE"}},
    {"definition gone", [](ExecutionFacts& f) { f.has_definition = false; }, {"DEFINITION_GONE"}},
    {"too late", [](ExecutionFacts& f) { f.execution.deadline = kNow; }, {"DEADLINE_PASSED"}},
    {"delayed", wait_until_later, {"NOT_BEFORE"}},
    {"deferred",
     [](ExecutionFacts& f) {
         wait_until_later(f);
         f.execution.deferrals = 2;
         f.execution.last_error = "UNAVAILABLE";
     },
     {"DEFERRED"}},
    {"refused",
     [](ExecutionFacts& f) {
         wait_until_later(f);
         f.execution.attempt_count = 1;
         f.execution.error_reason = "INVALID_REQUEST";
     },
     {"BACKING_OFF"}},
    {"paused",
     [](ExecutionFacts& f) {
         f.workspace->is_paused = true;
         f.limits.max_active = 0;
     },
     {"WORKSPACE_PAUSED"}},
    {"full", [](ExecutionFacts& f) { hold_slots(f, 5); }, {"WORKSPACE_FULL"}},
    {"limit lowered below active", [](ExecutionFacts& f) { hold_slots(f, 9); }, {"WORKSPACE_FULL"}},
    {"no limit",
     [](ExecutionFacts& f) {
         hold_slots(f, 500);
         f.limits.max_active.reset();
     },
     {"ABOUT_TO_START"}},
    {"limit zero", [](ExecutionFacts& f) { f.limits.max_active = 0; }, {"LIMIT_ZERO"}},
    {"rate used up",
     [](ExecutionFacts& f) {
         f.limits.rate_per_second = 0.5;
         f.line.rate = {.tokens = 0, .counted_at = kNow};
     },
     {"RATE_LIMITED"}},
    {"key full",
     [](ExecutionFacts& f) {
         f.execution.concurrency_key = "customer-7";
         f.execution.place = QueuePlace::parked;
         f.key_holders = {Execution{}};
     },
     {"KEY_FULL"}},
    {"key with room",
     [](ExecutionFacts& f) { f.execution.concurrency_key = "customer-7"; },
     {"ABOUT_TO_START"}},
    {"target unknown",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.process.targets.known.clear();
     },
     {"TARGET_UNKNOWN"}},
    {"target unreachable",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.process.targets.unreachable["default"] = {.since = kNow - 1min, .tries_at = kNow + 5s};
     },
     {"TARGET_UNREACHABLE"}},
    {"the default target unreachable, not named",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.execution.target.clear();
         f.process.targets.unreachable["default"] = {.since = kNow - 1min};
     },
     {"TARGET_UNREACHABLE"}},
    {"target busy",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.process.targets.busy = {"default"};
     },
     {"TARGET_BUSY"}},
    {"target of others unreachable",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.process.targets.unreachable["other"] = {.since = kNow - 1min};
     },
     {"ABOUT_TO_START"}},
    {"behind others", [](ExecutionFacts& f) { f.before = 3; }, {"BEHIND_OTHERS"}},
    {"several at once",
     [](ExecutionFacts& f) {
         hold_slots(f, 5);
         f.before = 10'000;
         f.is_before_capped = true;
     },
     {"WORKSPACE_FULL", "BEHIND_OTHERS"}},
    {"cancelled while waiting for its executor",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.execution.queue_status = QueueStatus::dispatched;
         f.execution.cancel_requested_at = kNow;
     },
     {"CANCEL_REQUESTED", "RUNNING_ELSEWHERE"}},
    {"starting",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.execution = claim(f.execution, "replica", kNow + 30s, kNow);
     },
     {"STARTING"}},
    {"starter lost",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.execution = claim(f.execution, "replica", kNow - 1s, kNow - 31s);
     },
     {"LEASE_OVER"}},
    {"start in doubt",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.execution = claim(f.execution, "", kNow + 1s, kNow);
     },
     {"START_IN_DOUBT"}},
    {"runs elsewhere",
     [](ExecutionFacts& f) {
         run_remotely(f);
         f.execution.queue_status = QueueStatus::dispatched;
     },
     {"RUNNING_ELSEWHERE"}},
    {"completed",
     [](ExecutionFacts& f) { f.execution.queue_status = QueueStatus::completed; },
     {"COMPLETED"}},
    {"cancelled",
     [](ExecutionFacts& f) { f.execution.queue_status = QueueStatus::cancelled; },
     {"CANCELLED"}},
    {"dead letter",
     [](ExecutionFacts& f) { f.execution.queue_status = QueueStatus::failed; },
     {"FAILED"}},
};

INSTANTIATE_TEST_SUITE_P(All, WaitingExecutionTest, testing::ValuesIn(kSituations));

TEST(ExplainExecutionTest, EstimatesFromTheLastObstacle) {
    ExecutionFacts facts = waiting();
    wait_until_later(facts);
    run_remotely(facts);
    facts.process.targets.unreachable["default"] = {.since = kNow, .tries_at = kNow + 5min};
    EXPECT_EQ(explain(facts, kNow).estimated_at, kNow + 5min);
}

TEST(ExplainExecutionTest, SaysWhatToDoAboutADeadLetter) {
    ExecutionFacts facts = waiting();
    facts.execution.queue_status = QueueStatus::failed;
    facts.execution.error_reason = "INVALID_REQUEST";
    EXPECT_EQ(explain(facts, kNow).reasons[0].advice, "Mend the cause, then redrive it.");
    facts.execution.dispatched_at = kNow;
    EXPECT_EQ(explain(facts, kNow).reasons[0].advice, "Retry it, or let it go on where it failed.");
}

// An instance with one open step.
InstanceFacts open_instance(StepType type) {
    InstanceFacts facts;
    facts.instance.key = {{Id128{3, 0}}, {"acme"}};
    facts.instance.state.open_steps = {{.sequence = 1, .step_id = "pay", .type = type}};
    return facts;
}

Job job_of_step() {
    return {.key = {{Id128{3, 2}}, {"acme"}}, .job_type = {"charge"}, .step_id = "pay"};
}

struct InstanceSituation {
    const char* name;
    InstanceFacts (*make)();
    Codes codes;
};

void PrintTo(const InstanceSituation& situation, std::ostream* out) {
    *out << situation.name;
}

class OpenInstanceTest : public testing::TestWithParam<InstanceSituation> {};

TEST_P(OpenInstanceTest, IsExplained) {
    EXPECT_EQ(codes_of(explain(GetParam().make(), kNow)), GetParam().codes);
}

InstanceFacts with_job(WorkersSeen workers, std::optional<Lease> lease = {}) {
    InstanceFacts facts = open_instance(StepType::service_task);
    Job job = job_of_step();
    job.lease = std::move(lease);
    facts.jobs = {{.job = job, .waiting = 1, .workers = workers}};
    return facts;
}

InstanceFacts kept_back_after(const std::vector<TryOutcome>& outcomes) {
    InstanceFacts facts = with_job({}, Lease{.lock_expires_at = kNow + 30s});
    for (const TryOutcome outcome : outcomes) {
        facts.instance.state.open_steps[0].tries.push_back({.outcome = outcome});
    }
    return facts;
}

InstanceFacts ended(InstanceStatus status) {
    InstanceFacts facts = open_instance(StepType::end);
    facts.instance.status = status;
    facts.instance.completed_at = kNow;
    return facts;
}

const InstanceSituation kInstances[] = {
    {"no worker ever", [] { return with_job({}); }, {"NO_WORKER"}},
    {"no worker now", [] { return with_job({.last_seen_at = kNow - 1h}); }, {"NO_WORKER_NOW"}},
    {"about to be handed out", [] { return with_job({.waiting = 1}); }, {"JOB_QUEUED"}},
    {"held by a worker",
     [] { return with_job({}, Lease{.worker_id = {"w1"}, .lock_expires_at = kNow + 30s}); },
     {"JOB_HELD"}},
    {"backing off",
     [] { return with_job({}, Lease{.lock_expires_at = kNow + 30s}); },
     {"JOB_BACKING_OFF"}},
    {"released for a while",
     [] { return kept_back_after({TryOutcome::released}); },
     {"JOB_RELEASED"}},
    {"losing its workers",
     [] { return kept_back_after(std::vector<TryOutcome>(10, TryOutcome::expired)); },
     {"JOB_LOSES_ITS_WORKERS"}},
    {"failed after losing a worker",
     [] {
         return kept_back_after({TryOutcome::expired, TryOutcome::failed});
     },
     {"JOB_BACKING_OFF"}},
    {"a task for somebody",
     [] {
         InstanceFacts facts = open_instance(StepType::user_task);
         facts.user_tasks = {{.key = {{Id128{3, 2}}, {"acme"}}, .step_id = "pay"}};
         return facts;
     },
     {"WAITS_FOR_TASK"}},
    {"a signal", [] { return open_instance(StepType::wait); }, {"WAITS_FOR_SIGNAL"}},
    {"a timer beside a signal",
     [] {
         InstanceFacts facts = open_instance(StepType::wait);
         facts.instance.state.open_steps[0].timers = {{.sequence = 2, .fire_at = kNow + 1h}};
         return facts;
     },
     {"WAITS_FOR_SIGNAL", "WAITS_FOR_TIMER"}},
    {"a join", [] { return open_instance(StepType::join_gateway); }, {"WAITS_FOR_JOIN"}},
    {"suspended",
     [] {
         InstanceFacts facts = open_instance(StepType::wait);
         facts.instance.state.is_suspended = true;
         return facts;
     },
     {"SUSPENDED", "WAITS_FOR_SIGNAL"}},
    {"failed", [] { return ended(InstanceStatus::failed); }, {"INSTANCE_FAILED"}},
    {"completed", [] { return ended(InstanceStatus::completed); }, {"INSTANCE_COMPLETED"}},
    {"cancelled", [] { return ended(InstanceStatus::cancelled); }, {"INSTANCE_CANCELLED"}},
};

INSTANTIATE_TEST_SUITE_P(All, OpenInstanceTest, testing::ValuesIn(kInstances));

TEST(ExplainInstanceTest, TellsOfATimerThatIsOverdue) {
    InstanceFacts facts = open_instance(StepType::wait);
    facts.instance.state.open_steps[0].timers = {{.sequence = 2, .fire_at = kNow - 1min}};
    const std::vector<Reason> reasons = reasons_of(facts, kNow);
    ASSERT_EQ(reasons.size(), 2u);
    EXPECT_NE(reasons[1].message.find("overdue"), std::string::npos) << reasons[1].message;
}

// What was set aside is due, and stays so.
TEST(ExplainInstanceTest, TellsOfALeaseThatCouldNotEnd) {
    for (const bool is_kept_back : {false, true}) {
        for (const bool is_overdue : {false, true}) {
            InstanceFacts facts = with_job({});
            Job& job = facts.jobs[0].job;
            job.status = JobState::locked;
            job.lease = Lease{.worker_id = {is_kept_back ? "" : "w"},
                              .locked_at = kNow - 1h,
                              .lock_expires_at = kNow - (is_overdue ? 11s : 9s)};
            const Explanation of_instance = explain(facts, kNow);
            const Explanation of_job = explain(facts.jobs[0], kNow);
            for (const Explanation& explanation : {of_instance, of_job}) {
                const json::Value evidence(explanation.reasons.at(0).evidence);
                EXPECT_EQ(evidence.find("overdueSince") != nullptr, is_overdue);
                EXPECT_EQ(explanation.summary.find("tried again") != std::string::npos, is_overdue)
                    << explanation.summary;
            }
        }
    }
}

TEST(ExplainExecutionTest, TellsOfADelayAndADeadlineThatCouldNotEnd) {
    for (const bool is_overdue : {false, true}) {
        const Instant at = kNow - (is_overdue ? 11s : 9s);
        ExecutionFacts delayed = waiting();
        delayed.execution.place = QueuePlace::due;
        delayed.execution.due_at = at;
        ExecutionFacts late = waiting();
        late.execution.deadline = at;
        for (const ExecutionFacts& facts : {delayed, late}) {
            const Explanation explanation = explain(facts, kNow);
            const json::Value evidence(explanation.reasons.at(0).evidence);
            EXPECT_EQ(evidence.find("overdueSince") != nullptr, is_overdue);
        }
    }
}

TEST(ExplainInstanceTest, NamesTheBranchesThatAJoinWaitsFor) {
    InstanceFacts facts = open_instance(StepType::join_gateway);
    facts.instance.state.open_steps[0].activations = {9};
    facts.instance.state.open_steps.push_back(
        {.sequence = 5, .step_id = "ship", .type = StepType::wait, .activations = {9}});
    facts.instance.state.activations = {{.sequence = 9, .join_sequence = 1}};
    const Explanation explanation = explain(facts, kNow);
    const json::Value evidence(explanation.reasons[0].evidence);
    const json::Value* branches = evidence.find("openBranches");
    ASSERT_NE(branches, nullptr);
    EXPECT_EQ(*branches, json::Value(json::Array{json::Value("ship")}));
}

TEST(ExplainInstanceTest, AnExecutionThatRunsHereIsExplainedByItsInstance) {
    ExecutionFacts facts = waiting();
    facts.execution.queue_status = QueueStatus::dispatched;
    facts.instance = with_job({});
    EXPECT_EQ(codes_of(explain(facts, kNow)), Codes{"NO_WORKER"});
}

TEST(ExplainWorkspaceTest, TellsWhatHoldsItUp) {
    WorkspaceFacts facts{.queue = {.id = {"acme"}}};
    EXPECT_EQ(codes_of(explain(facts, kNow)), Codes{"NOTHING_WAITS"});
    facts.ready = 3;
    EXPECT_EQ(codes_of(explain(facts, kNow)), Codes{"WORKING"});
    facts.limits.max_active = 2;
    facts.active = 2;
    facts.parked = 1;
    facts.due = 4;
    EXPECT_EQ(codes_of(explain(facts, kNow)), (Codes{"WORKSPACE_FULL", "KEYS_FULL", "DELAYED"}));
    facts.process.is_engine_enabled = false;
    EXPECT_EQ(codes_of(explain(facts, kNow))[0], "ENGINE_DISABLED");
}

}  // namespace
}  // namespace millrace
