// How a batch is cut by its budget, and split when it fails (docs/adr/0014).

#include <gtest/gtest.h>

#include <algorithm>

#include "commit/committer.hpp"
#include "core/limits.hpp"
#include "store/memory/memory_database.hpp"
#include "support/faulty_database.hpp"
#include "support/test_node.hpp"

namespace millrace {

// A command of which a test says what it costs.
struct CostlyCommand {
    static constexpr std::string_view kName = "test.costly";

    InstanceKey instance{};
    std::int64_t work = 0;
    std::size_t bytes = 0;
    std::size_t rows = 0;
    Duration wall{};
    FakeClock* clock = nullptr;
    int* decisions = nullptr;
};

Footprint footprint(const CostlyCommand& command) {
    return {.instances = {command.instance}};
}

Result<Decision<int>> decide(const CostlyCommand& command, const WorkingSet&, Instant now) {
    if (command.decisions != nullptr) *command.decisions += 1;
    if (command.clock != nullptr) command.clock->advance(command.wall);
    Decision<int> decision;
    decision.effects.work = command.work;
    if (command.bytes > 0) {
        Instance instance{.key = command.instance, .started_at = now};
        instance.variables =
            Variables::from_text("{\"a\":\"" + std::string(command.bytes, 'x') + "\"}");
        decision.effects.instances.push_back(std::move(instance));
    }
    for (std::size_t n = 0; n < command.rows; ++n) {
        const auto sequence = static_cast<std::uint32_t>(n + 2);
        decision.effects.timers_removed.push_back(
            {{command.instance.id.value.with_sequence(sequence)}, kWorkspace});
    }
    return decision;
}

namespace {

InstanceKey numbered(std::uint64_t number) {
    return {{Id128::for_instance(kNoon, number)}, kWorkspace};
}

class BatchSplittingTest : public testing::Test {
protected:
    using Answers = std::vector<std::optional<ErrorCode>>;

    // Submits them at once. An answer is empty for a success; those without one yet are missing.
    void submit(TestNode& node, std::vector<CostlyCommand> commands) {
        for (CostlyCommand& command : commands) {
            node.queue().submit(std::move(command), [this](const Result<int>& answer) {
                answers_.push_back(answer ? std::nullopt : std::optional(answer.error().code));
            });
        }
    }

    static std::vector<CostlyCommand> many(std::size_t count, const CostlyCommand& like = {}) {
        std::vector<CostlyCommand> commands(count, like);
        for (std::size_t n = 0; n < count; ++n) commands[n].instance = numbered(n + 1);
        return commands;
    }

    std::size_t succeeded() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(answers_, [](const auto& answer) { return !answer; }));
    }

    MemoryDatabase database_;
    FakeClock clock_{kNoon};
    FaultPlan plan_;
    FaultyDatabase faulty_{database_, plan_};
    Answers answers_;
};

TEST_F(BatchSplittingTest, ABatchStopsDecidingAtItsBudget) {
    struct Row {
        const char* budget;
        CostlyCommand each;
        std::size_t first_batch;
    };
    const Row rows[] = {
        {"work", {.work = limits::kBatchWorkMax / 4}, 4},
        {"bytes", {.bytes = limits::kVariablesBytesMax - 100}, 16},
        {"rows", {.rows = limits::kBatchRowsMax / 5}, 5},
        {"the wall clock", {.wall = limits::kDecidingWatched / 2, .clock = &clock_}, 2},
        {"none", {}, 20},
    };
    for (const Row& row : rows) {
        MemoryDatabase database;
        TestNode node(database, clock_);
        answers_.clear();
        submit(node, many(20, row.each));
        node.commit();
        EXPECT_EQ(node.listener().batch_sizes.front(), row.first_batch) << row.budget;
        EXPECT_EQ(succeeded(), 20u) << row.budget;
    }
}

TEST_F(BatchSplittingTest, OneCommandBeyondTheBudgetIsABatchOfItsOwn) {
    TestNode node(database_, clock_);
    submit(node, many(3, {.work = 2 * limits::kBatchWorkMax}));
    node.commit();
    EXPECT_EQ(node.listener().batch_sizes, (std::vector<std::size_t>{1, 1, 1}));
    EXPECT_EQ(succeeded(), 3u);
}

TEST_F(BatchSplittingTest, CommandsOnOneInstanceKeepTheirOrderWhenABatchIsCut) {
    TestNode node(database_, clock_);
    std::vector<int> order;
    for (int n = 0; n < 12; ++n) {
        node.queue().submit(
            CostlyCommand{.instance = numbered(1), .work = limits::kBatchWorkMax / 2},
            [&order, n](const Result<int>&) { order.push_back(n); });
    }
    node.commit();
    EXPECT_TRUE(std::ranges::is_sorted(order));
    EXPECT_EQ(order.size(), 12u);
}

// A server that has just started knows nothing of the instances that it is asked about.
TEST_F(BatchSplittingTest, TheFirstBatchLoadsNoMoreThanABatchMayHold) {
    constexpr std::size_t kLarge = limits::kVariablesBytesMax - 100;
    TestNode before(database_, clock_);
    submit(before, many(40, {.bytes = kLarge}));
    before.commit();
    ASSERT_EQ(succeeded(), 40u);

    answers_.clear();
    TestNode node(faulty_, clock_);
    std::vector<int> order;  // Of the commands on one instance that is left out at first.
    for (int n = 0; n < 3; ++n) {
        std::vector<CostlyCommand> commands = many(40);
        std::ranges::reverse(commands);
        submit(node, std::move(commands));
        node.queue().submit(CostlyCommand{.instance = numbered(30)},
                            [&order, n](const Result<int>&) { order.push_back(n); });
    }
    node.commit();
    EXPECT_EQ(succeeded(), 120u);
    EXPECT_EQ(order, (std::vector{0, 1, 2}));
    EXPECT_LE(plan_.bytes_loaded_most, limits::kBatchBytesMax + limits::kVariablesBytesMax);
    EXPECT_GE(node.listener().batch_sizes.front(), 16u) << "as much as it may";
}

TEST_F(BatchSplittingTest, ARowThatSomebodyElseHasLockedHoldsNobodyElseUp) {
    plan_.locked = {numbered(7).id.value};
    TestNode node(faulty_, clock_);
    submit(node, many(20));
    node.commit();
    EXPECT_EQ(succeeded(), 19u);
    EXPECT_EQ(plan_.calls, 4) << "a load that fails, a look, then a load and an apply";
    EXPECT_EQ(node.queue().next_at(), kNoon + limits::kLockedPause);

    plan_.locked.clear();
    clock_.advance(limits::kLockedPause);
    node.commit();
    EXPECT_EQ(succeeded(), 20u) << "it is done as soon as it can be";
}

// Their halves are tried one after the other, and the row is free again before the second one.
TEST_F(BatchSplittingTest, ACommandOfTheOtherHalfStaysBehindOneThatIsParked) {
    plan_ = {.first = 1, .count = 2, .why = Unavailable::overrun};
    plan_.locked = {numbered(1).id.value};
    TestNode node(faulty_, clock_);
    std::vector<std::string> order;
    const auto add = [&](std::uint64_t instance, const std::string& name) {
        node.queue().submit(CostlyCommand{.instance = numbered(instance)},
                            [&, name](const Result<int>& done) {
                                EXPECT_TRUE(done);
                                order.push_back(name);
                                plan_.locked.clear();
                            });
    };
    add(1, "first of 1");
    add(2, "of 2");
    add(3, "of 3");
    add(1, "second of 1");
    node.commit();
    clock_.advance(limits::kLockedPause);
    node.commit();
    EXPECT_EQ(order, (std::vector<std::string>{"of 2", "of 3", "first of 1", "second of 1"}));
}

// More than one look takes: those that are left would be tried before those that are parked anew.
TEST_F(BatchSplittingTest, OneThatIsParkedAnewIsNotOvertaken) {
    for (std::uint64_t n = 1; n <= limits::kDutyCommandsMax; ++n) {
        plan_.locked.insert(numbered(n).id.value);
    }
    TestNode node(faulty_, clock_);
    std::vector<int> order;
    std::vector<CostlyCommand> commands = many(limits::kDutyCommandsMax);
    commands.push_back({.instance = numbered(1)});
    for (std::size_t n = 0; n < commands.size(); ++n) {
        node.queue().submit(commands[n], [&, n](const Result<int>& done) {
            EXPECT_TRUE(done);
            if (commands[n].instance == numbered(1)) order.push_back(static_cast<int>(n));
        });
    }
    node.commit();
    clock_.advance(limits::kLockedPause);
    node.commit_once();
    plan_.locked.clear();
    node.commit();
    clock_.advance(limits::kLockedPause);
    node.commit();
    EXPECT_EQ(order, (std::vector{0, static_cast<int>(limits::kDutyCommandsMax)}));
}

// For metrics: how long rows were waited for in vain.
TEST_F(BatchSplittingTest, TellsOfRowsThatItHasWaitedForInVain) {
    class LockNotes final : public CommitListener {
    public:
        void on_commit(const Writes&) override {}
        void on_batch(std::size_t, Duration, Duration) override {}
        void on_command(std::string_view, Duration) override {}
        void on_lock_timeout(Duration) override { count += 1; }

        int count = 0;
    };
    plan_.locked = {numbered(1).id.value};
    TestNode node(database_, clock_);
    CommandQueue queue([] {}, &clock_);
    LockNotes notes;
    const auto store = faulty_.batch_store();
    Committer committer(*store, queue, node.broker(), notes, clock_);
    queue.submit(CostlyCommand{.instance = numbered(1)}, [](const Result<int>&) {});
    for (int round = 0; round < 5; ++round) (void)committer.run_once();
    EXPECT_EQ(notes.count, 1);
    clock_.advance(limits::kLockedPause);
    for (int round = 0; round < 5; ++round) (void)committer.run_once();
    EXPECT_EQ(notes.count, 1) << "a look waits for nobody";
    queue.close(clock_.now());
    (void)committer.run_once();
}

TEST_F(BatchSplittingTest, ALockedRowIsLookedAtAndNotWaitedFor) {
    plan_.locked = {numbered(1).id.value};
    TestNode node(faulty_, clock_);
    submit(node, many(1));
    node.commit();
    const int calls = plan_.calls;
    clock_.advance(limits::kLockedPause);
    node.commit();
    EXPECT_EQ(plan_.calls, calls + 1);
    clock_.advance(limits::kCommandPatience);
    node.commit();
    EXPECT_EQ(answers_, Answers{ErrorCode::unavailable}) << "at its deadline";
}

TEST_F(BatchSplittingTest, ABatchThatTakesTooLongIsHalvedUntilItPasses) {
    plan_.instances_max = 5;
    TestNode node(faulty_, clock_);
    submit(node, many(20));
    for (int round = 0; round < 3; ++round) {
        EXPECT_FALSE(node.commit_once().unhealthy) << "the store is not away";
    }
    EXPECT_EQ(node.listener().batch_sizes, (std::vector<std::size_t>{5, 5, 5, 5}));
    EXPECT_EQ(succeeded(), 20u);
}

TEST_F(BatchSplittingTest, TheFirstKnownFailureIsTriedAgainWhole) {
    plan_ = {.first = 1, .count = 1, .why = Unavailable::overrun};
    TestNode node(faulty_, clock_);
    submit(node, many(20));
    node.commit();
    EXPECT_EQ(node.listener().batch_sizes, std::vector<std::size_t>{20});
}

TEST_F(BatchSplittingTest, OneThatCanNeverPassIsGivenUpAlone) {
    plan_ = {.first = 1, .count = 1'000, .why = Unavailable::overrun};
    TestNode node(faulty_, clock_);
    submit(node, many(2));
    node.commit();
    EXPECT_EQ(answers_, (Answers{ErrorCode::unavailable, ErrorCode::unavailable}));
}

TEST_F(BatchSplittingTest, IsNeverSplitWhileTheStoreIsAway) {
    plan_ = {.first = 1, .count = 9};
    TestNode node(faulty_, clock_);
    submit(node, many(20));
    for (int round = 0; round < 9; ++round) {
        EXPECT_TRUE(node.commit_once().unhealthy);
    }
    node.commit();
    EXPECT_EQ(node.listener().batch_sizes, std::vector<std::size_t>{20});
    EXPECT_EQ(succeeded(), 20u);
}

// Nobody makes room within the patience of a caller: it reads at once why nothing is written.
TEST_F(BatchSplittingTest, CallersAreToldAtOnceThatTheDiskIsFull) {
    plan_ = {.first = 1, .count = 1, .why = Unavailable::full};
    TestNode node(faulty_, clock_);
    submit(node, many(20));
    EXPECT_TRUE(node.commit_once().unhealthy) << "and the committer pauses";
    EXPECT_EQ(answers_.size(), 20u);
    EXPECT_EQ(succeeded(), 0u);
    submit(node, many(20));
    node.commit();
    EXPECT_EQ(succeeded(), 20u);
}

TEST_F(BatchSplittingTest, IsNeverSplitWhileItsCommitIsInDoubt) {
    plan_ = {.fault = Fault::reply_lost, .first = 2, .count = 9, .why = Unavailable::overrun};
    TestNode node(faulty_, clock_);
    submit(node, many(20, {.rows = 1}));
    for (int round = 0; round < 9; ++round) {
        EXPECT_TRUE(node.commit_once().unhealthy);
    }
    EXPECT_TRUE(answers_.empty()) << "it is not given up after some tries";
    node.commit();
    EXPECT_EQ(succeeded(), 20u);
    EXPECT_EQ(plan_.calls, 11) << "load, apply, nine answers without a word, one with";
}

// Two callers whose patience ends at different times, on one commit in doubt.
TEST_F(BatchSplittingTest, EachIsAnsweredAtItsDeadlineAndTheBatchGoesOnBeingSettled) {
    plan_ = {.fault = Fault::commit_lost, .first = 2, .count = 1'000};
    TestNode node(faulty_, clock_);
    submit(node, {{.instance = numbered(1), .rows = 1}});
    clock_.advance(10s);
    submit(node, {{.instance = numbered(2), .rows = 1}});
    EXPECT_TRUE(node.commit_once().unhealthy);
    clock_.advance(limits::kCommandPatience - 10s);
    node.commit_once();
    EXPECT_EQ(answers_, Answers{ErrorCode::commit_unknown});

    plan_.first = 0;  // It was never committed: only the other one is tried again.
    node.commit();
    EXPECT_EQ(answers_, (Answers{ErrorCode::commit_unknown, std::nullopt}));
    EXPECT_EQ(node.listener().batch_sizes.back(), 1u);
}

TEST_F(BatchSplittingTest, ThoseWhoWaitInTheQueueAreAnsweredWhileTheStoreIsAway) {
    plan_ = {.first = 1, .count = 1'000'000};
    TestNode node(faulty_, clock_);
    submit(node, {{.instance = numbered(1)}});
    node.commit_once();
    submit(node, {{.instance = numbered(2)}});
    clock_.advance(limits::kCommandPatience);
    node.commit_once();
    node.commit_once();
    EXPECT_EQ(answers_, (Answers{ErrorCode::unavailable, ErrorCode::unavailable}));
}

// The database ended a transaction that had waited for a long decision (25P03).
TEST_F(BatchSplittingTest, ACommandThatTookLongIsAloneWhenItIsTriedAgain) {
    TestNode node(faulty_, clock_);
    plan_ = {.first = 2, .count = 1, .why = Unavailable::overrun};
    std::vector<CostlyCommand> commands = many(5);
    commands[3].clock = &clock_;
    commands[3].wall = 5s;
    submit(node, commands);
    node.commit();
    EXPECT_EQ(succeeded(), 5u);
    // Four that were decided, the slow one among them; it goes, the rest follows.
    EXPECT_EQ(node.listener().batch_sizes, (std::vector<std::size_t>{4, 3, 1, 1}));
}

TEST_F(BatchSplittingTest, StopsInTimeWithACommandThatNeverPasses) {
    plan_.locked = {numbered(1).id.value};
    TestNode node(faulty_, clock_);
    submit(node, many(3));
    node.commit();
    node.queue().close(kNoon + 2s);
    clock_.advance(2s);
    node.commit();
    EXPECT_EQ(answers_.size(), 3u);
    EXPECT_EQ(node.queue().waiting(), 0u);
    EXPECT_EQ(node.queue().next_at(), std::nullopt);
}

}  // namespace
}  // namespace millrace
