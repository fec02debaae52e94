#include "queue/remote_runs.hpp"

#include <gtest/gtest.h>

#include "queue/remove_executions.hpp"
#include "support/remote_world.hpp"

namespace millrace {
namespace {

using Words = std::vector<std::string>;

class RemoteRunsTest : public RemoteWorld {};

TEST_F(RemoteRunsTest, StartsWhatIsClaimedAndWritesThatDown) {
    const ExecutionKey key = node_.enqueue(1, R"({ "total" : 12.50 })");
    settle();
    const Execution execution = node_.execution(key);
    EXPECT_EQ(execution.queue_status, QueueStatus::dispatched);
    EXPECT_EQ(execution.run_id, "run-1");
    EXPECT_EQ(execution.attempt_count, 0);
    EXPECT_EQ(node_.told().told, Words{"dispatched"});
    EXPECT_EQ(node_.told().sent, 1);

    const StartRun& request = cluster_.run_of(key).request;
    EXPECT_EQ(request.execution, key);
    EXPECT_EQ(request.spec.name_space, "orders");
    EXPECT_EQ(request.spec.workflow_type, "Order");
    EXPECT_TRUE(request.payload.ends_with(R"("nodeIds":["a","z"],"input":{ "total" : 12.50 }})"))
        << request.payload;
}

struct AnswerRow {
    const char* name;
    StartAnswer answer;
    QueueStatus status;
    std::int32_t attempts;
    std::int32_t deferrals;
    std::int32_t recoveries;
    const char* reason;
};

class StartAnswerTest : public RemoteWorld, public testing::WithParamInterface<AnswerRow> {};

StartAnswer answer(StartOutcome outcome, std::string code, std::string reason = {}) {
    return {.outcome = outcome,
            .run_id = outcome == StartOutcome::started ? "run-0" : "",
            .code = std::move(code),
            .reason = std::move(reason),
            .message = "as it is"};
}

const AnswerRow kAnswers[] = {
    {"Started", answer(StartOutcome::started, ""), QueueStatus::dispatched, 0, 0, 0, ""},
    {"Conflict", answer(StartOutcome::conflict, "ALREADY_EXISTS"), QueueStatus::failed, 1, 0, 0,
     "WORKFLOW_ID_CONFLICT"},
    {"Unavailable", answer(StartOutcome::unreachable, "UNAVAILABLE"), QueueStatus::pending, 0, 1, 0,
     ""},
    {"Exhausted", answer(StartOutcome::unreachable, "RESOURCE_EXHAUSTED"), QueueStatus::pending, 0,
     1, 0, ""},
    {"Deadline", answer(StartOutcome::unknown, "DEADLINE_EXCEEDED"), QueueStatus::claimed, 0, 0, 1,
     ""},
    {"ConnectionLost", answer(StartOutcome::unknown, "UNAVAILABLE"), QueueStatus::claimed, 0, 0, 1,
     ""},
    {"Invalid", answer(StartOutcome::refused, "INVALID_ARGUMENT", "INVALID_REQUEST"),
     QueueStatus::pending, 1, 0, 0, "INVALID_REQUEST"},
    {"NoNamespace", answer(StartOutcome::refused, "NOT_FOUND", "NAMESPACE_NOT_FOUND"),
     QueueStatus::pending, 1, 0, 0, "NAMESPACE_NOT_FOUND"},
    {"Forbidden", answer(StartOutcome::refused, "PERMISSION_DENIED", "PERMISSION_DENIED"),
     QueueStatus::pending, 1, 0, 0, "PERMISSION_DENIED"},
    {"Other", answer(StartOutcome::refused, "INTERNAL", "INTERNAL"), QueueStatus::pending, 1, 0, 0,
     "INTERNAL"},
};

TEST_P(StartAnswerTest, CountsAsTheTableSays) {
    const AnswerRow& row = GetParam();
    cluster_.next_starts = {{row.answer}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    const Execution execution = node_.execution(key);
    EXPECT_EQ(execution.queue_status, row.status);
    EXPECT_EQ(execution.attempt_count, row.attempts);
    EXPECT_EQ(execution.deferrals, row.deferrals);
    EXPECT_EQ(execution.recoveries, row.recoveries);
    EXPECT_EQ(execution.error_reason, row.reason);
    EXPECT_EQ(execution.last_error, row.answer.outcome == StartOutcome::started ? "" : "as it is");
    EXPECT_EQ(cluster_.starts, 1);
}

INSTANTIATE_TEST_SUITE_P(Answers, StartAnswerTest, testing::ValuesIn(kAnswers),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(RemoteRunsTest, TriesExactlyAsOftenAsItMay) {
    const ExecutionKey key = execution_key(1);
    cluster_.starts_of[key.id] =
        answer(StartOutcome::refused, "INVALID_ARGUMENT", "INVALID_REQUEST");
    node_.enqueue(1);
    advance(10min);
    EXPECT_EQ(cluster_.starts, 3);
    const Execution execution = node_.execution(key);
    EXPECT_EQ(execution.queue_status, QueueStatus::failed);
    EXPECT_EQ(execution.attempt_count, 3);
    EXPECT_EQ(execution.error_reason, "INVALID_REQUEST");
    EXPECT_EQ(active(), 0);
}

TEST_F(RemoteRunsTest, ADefinitionsOwnAttemptsHold) {
    node_.upload(R"({"id": "order", "name": "Order", "maxAttempts": 1,
        "executor": {"kind": "temporal", "target": "main", "workflowType": "Order"},
        "steps": []})");
    cluster_.next_starts = {{answer(StartOutcome::refused, "INTERNAL", "INTERNAL")}};
    const ExecutionKey key = node_.enqueue(1);
    advance(1min);
    EXPECT_EQ(cluster_.starts, 1);
    EXPECT_EQ(node_.status(key), "FAILED");
}

TEST_F(RemoteRunsTest, OneThatIsRefusedDoesNotStopTheOthers) {
    cluster_.starts_of[execution_key(2).id] =
        answer(StartOutcome::refused, "INVALID_ARGUMENT", "INVALID_REQUEST");
    for (std::uint64_t n = 1; n <= 3; ++n) node_.enqueue(n);
    settle();
    EXPECT_EQ(node_.status(execution_key(1)), "DISPATCHED");
    EXPECT_EQ(node_.status(execution_key(2)), "PENDING");
    EXPECT_EQ(node_.status(execution_key(3)), "DISPATCHED");
}

TEST_F(RemoteRunsTest, ATargetThatNobodyKnowsFailsForGood) {
    node_.upload(R"({"id": "order", "name": "Order",
        "executor": {"kind": "temporal", "target": "other", "workflowType": "Order"},
        "steps": []})");
    const ExecutionKey key = node_.enqueue(1);
    settle();
    const Execution execution = node_.execution(key);
    EXPECT_EQ(execution.queue_status, QueueStatus::failed);
    EXPECT_EQ(execution.error_reason, "EXECUTOR_TARGET_NOT_FOUND");
    EXPECT_EQ(cluster_.starts, 0);
    EXPECT_EQ(node_.told().told, (Words{"start failed NOT_FOUND", "failed"}));
}

TEST_F(RemoteRunsTest, WhoNamesNoTargetMeansTheDefaultOne) {
    RemoteNode node(database_, clock_, {{"default", &cluster_}}, settings_);
    node_.dispatches = false;
    node.upload(R"({"id": "order", "name": "Order",
        "executor": {"kind": "temporal", "workflowType": "Order"}, "steps": []})");
    const ExecutionKey key = node.enqueue(1);
    node.settle();
    EXPECT_EQ(node.status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.starts, 1);
}

TEST_F(RemoteRunsTest, SoManyStartsAreUnderWayAtOnceAndNoMore) {
    cluster_.is_holding = true;
    for (std::uint64_t n = 1; n <= 150; ++n) node_.enqueue(n);
    settle();
    EXPECT_EQ(cluster_.starts_under_way, 64u);
    cluster_.release();
    settle();
    EXPECT_EQ(cluster_.starts_under_way_max, 64u);
    EXPECT_EQ(cluster_.starts, 150);
    EXPECT_EQ(cluster_.runs_begun, 150);
    EXPECT_EQ(active(), 150);
}

class CrowdedTargetTest : public RemoteWorld {
protected:
    CrowdedTargetTest() : RemoteWorld({.owner = kOwner, .starts_waiting_max = 256}) {}
};

TEST_F(CrowdedTargetTest, ALongLineClosesItsTarget) {
    cluster_.is_holding = true;
    for (std::uint64_t n = 1; n <= 600; ++n) node_.enqueue(n);
    settle();
    EXPECT_LT(active(), 600) << "the others wait without a slot";
    EXPECT_TRUE(node_.targets().busy.contains("main"));
    cluster_.release();
    advance(20s);
    EXPECT_EQ(cluster_.runs_begun, 600);
    EXPECT_TRUE(node_.targets().busy.empty());
    EXPECT_TRUE(node_.targets().unreachable.empty());
}

TEST_F(RemoteRunsTest, ClaimsThatWaitAreRenewed) {
    cluster_.is_holding = true;
    for (std::uint64_t n = 1; n <= 100; ++n) node_.enqueue(n);
    settle();
    clock_.advance(20s);
    settle();
    const Execution waiting = node_.execution(execution_key(100));
    EXPECT_EQ(waiting.queue_status, QueueStatus::claimed);
    EXPECT_EQ(waiting.claim.token, 1);
    EXPECT_GE(*waiting.due_at, clock_.now() + 10s) << "a third of the lease is left at least";
    EXPECT_EQ(waiting.recoveries, 0);
}

TEST_F(RemoteRunsTest, AStartIsNotSentWithoutEnoughOfALease) {
    // When the claim comes to those who start it, its lease is nearly over and its record is gone.
    node_.starts = false;
    const ExecutionKey key = node_.enqueue(1);
    settle();
    ASSERT_EQ(node_.status(key), "CLAIMED");
    ASSERT_TRUE(node_.run(CompleteExecution{.key = key}));
    ASSERT_TRUE(node_.run(RemoveExecutions{.executions = {key}, .ended_before = kNoon + 1h}));
    node_.dispatches = node_.attends = false;
    clock_.advance(21s);
    node_.starts = true;
    settle();
    EXPECT_EQ(cluster_.starts, 0) << "and there is nothing to renew: it is dropped";
    advance(1min);
    EXPECT_EQ(cluster_.starts, 0);
    EXPECT_EQ(node_.told().told, Words{});
}

TEST_F(RemoteRunsTest, ALostClaimIsDroppedQuietly) {
    cluster_.is_holding = true;
    const ExecutionKey key = node_.enqueue(1);
    settle();
    ASSERT_EQ(cluster_.starts, 1);
    // Its worker was quick: the end is known before the answer to the start.
    ASSERT_TRUE(node_.run(CompleteExecution{.key = key, .result = "{}"}));
    cluster_.release();
    settle();
    EXPECT_EQ(node_.status(key), "COMPLETED");
    EXPECT_EQ(node_.told().told, Words{});
    EXPECT_EQ(active(), 0);
    EXPECT_EQ(cluster_.polls, 0) << "nobody waits for the end of what is over";
}

TEST_F(RemoteRunsTest, ARecordThatIsGoneIsMadeAgain) {
    cluster_.is_holding = true;
    const ExecutionKey key = node_.enqueue(1, R"({"a":1})");
    settle();
    ASSERT_TRUE(node_.run(CompleteExecution{.key = key}));
    ASSERT_TRUE(node_.run(RemoveExecutions{.executions = {key}, .ended_before = kNoon + 1h}));
    cluster_.release();
    settle();
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    EXPECT_EQ(node_.stored(key).input.text(), R"({"a":1})");
    EXPECT_EQ(node_.told().told, (Words{"dispatched", "record was missing"}));
}

TEST_F(RemoteRunsTest, MessagesOfAnExecutorAreMadeFitForTheStore) {
    cluster_.next_starts = {{{.outcome = StartOutcome::refused,
                              .code = "INTERNAL",
                              .reason = "INTERNAL",
                              .message = std::string("a\0b", 3)}}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    EXPECT_EQ(node_.execution(key).last_error, "a b");
}

TEST_F(RemoteRunsTest, WhoStopsLetsGoOfWhatWaits) {
    cluster_.is_holding = true;
    for (std::uint64_t n = 1; n <= 70; ++n) node_.enqueue(n);
    settle();
    node_.stop([this] {
        settle();
        EXPECT_EQ(node_.status(execution_key(70)), "PENDING");
        EXPECT_EQ(node_.execution(execution_key(70)).attempt_count, 0);
        EXPECT_EQ(active(), 64) << "what is under way keeps its claim";
        cluster_.release();
    });
    EXPECT_EQ(cluster_.starts, 64) << "no new calls";
    EXPECT_EQ(node_.status(execution_key(1)), "DISPATCHED") << "but answers are written down";
    EXPECT_EQ(cluster_.polls, 0);
}

TEST_F(RemoteRunsTest, AnswersThatComeWhenItIsGoneAreIgnored) {
    auto cluster = std::make_unique<ScriptedCluster>(clock_);
    cluster->is_holding = true;
    {
        RemoteNode node(database_, clock_, {{"main", cluster.get()}}, settings_);
        node.enqueue(1);
        node.settle();
        ASSERT_EQ(cluster->starts_under_way, 1u);
    }
    cluster->release();
}

// Else their loop would read through all that are due, again and again. Found by reading.
TEST_F(RemoteRunsTest, LooksForWhichThereIsNoRoomAreAskedForAgainAfterAMoment) {
    RemoteSettings settings = settings_;
    settings.looks_waiting_max = 0;
    CommandQueue commands([] {});
    ToldListener listener;
    const auto reads_nothing = [](ExecutionId) -> Result<std::optional<StoredExecution>> {
        return std::optional<StoredExecution>();
    };
    RemoteRuns runs(reads_nothing, commands, {{"main", &cluster_}}, listener, clock_, settings,
                    [] {});
    std::vector<bool> told;
    const auto attend = [&] {
        runs.attend(execution_key(1), [&](bool is_over) { told.push_back(is_over); });
        return runs.run_once();
    };
    EXPECT_EQ(attend().next_at, clock_.now() + 1s);
    EXPECT_TRUE(told.empty());
    clock_.advance(1s);
    runs.run_once();
    EXPECT_EQ(told, std::vector{true});
    attend();
    runs.stop();
    runs.run_once();
    EXPECT_EQ(told.size(), 2u) << "who stops keeps nobody waiting";
}

}  // namespace
}  // namespace millrace
