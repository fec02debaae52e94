#include <gtest/gtest.h>

#include <tuple>

#include "support/faulty_database.hpp"
#include "support/remote_world.hpp"

namespace millrace {
namespace {

// Goal: whatever the store does to any one call, or to some in a row, every execution ends as its
// run does, with one run each, and no slot is left behind.
// Method: one story in which starts succeed, are refused, reach nobody and get lost; it is told
// again and again, with the fault at the first call, at the second, until no call is left to fail.
class RemoteFaultsTest : public testing::TestWithParam<std::tuple<Fault, int>> {};

class Story {
public:
    Story(Database& plain, Database& faulty, FakeClock& clock)
        : clock_(clock),
          setup_(plain, clock, {}),
          node_(faulty, clock, {{"main", &cluster_}}, {.owner = kOwner, .tracked_max = 3}) {}

    void run() {
        begin();
        advance(60);
        // What is in doubt has lost a lease or two by now.
        for (std::uint64_t n = 1; n <= kCount; ++n) {
            const ExecutionKey key = execution_key(n);
            ASSERT_EQ(setup_.status(key), "DISPATCHED") << n;
        }
        ASSERT_TRUE(setup_.cancel(execution_key(6)));
        for (std::uint64_t n = 1; n < kCount; ++n) {
            cluster_.end_run(execution_key(n), RunState::completed, std::to_string(n));
        }
        advance(150);
        check();
    }

private:
    static constexpr std::uint64_t kCount = 6;

    void begin() {
        setup_.upload();
        cluster_.next_starts = {
            {.answer = {.outcome = StartOutcome::unknown, .code = "UNAVAILABLE"}, .happens = true},
            {.answer = {.outcome = StartOutcome::unknown, .code = "UNAVAILABLE"}},
            {.answer = {.outcome = StartOutcome::refused, .code = "INTERNAL"}},
            {.answer = {.outcome = StartOutcome::unreachable, .code = "UNAVAILABLE"}},
        };
        for (std::uint64_t n = 1; n <= kCount; ++n) setup_.enqueue(n);
    }

    void advance(int seconds) {
        for (int second = 0; second < seconds; ++second) {
            clock_.advance(1s);
            cluster_.pass_time();
            node_.settle();
        }
    }

    void check() {
        EXPECT_EQ(cluster_.runs_begun, static_cast<int>(kCount)) << "one run each";
        for (std::uint64_t n = 1; n < kCount; ++n) {
            const StoredExecution stored = setup_.stored(execution_key(n));
            EXPECT_EQ(stored.execution.queue_status, QueueStatus::completed) << n;
            EXPECT_EQ(stored.result, std::to_string(n));
            EXPECT_LE(stored.execution.attempt_count, 1) << n;
        }
        EXPECT_EQ(setup_.status(execution_key(kCount)), "CANCELLED");
        const auto queue = setup_.reader().queue({"default"});
        ASSERT_TRUE(queue && *queue);
        EXPECT_EQ((*queue)->counts.claimed + (*queue)->counts.dispatched, 0);
    }

    FakeClock& clock_;
    ScriptedCluster cluster_{clock_};
    RemoteNode setup_;
    RemoteNode node_;
};

TEST_P(RemoteFaultsTest, AnyCallMayFail) {
    const auto [fault, count] = GetParam();
    for (int first = 1;; ++first) {
        SCOPED_TRACE("fault from call " + std::to_string(first));
        FakeClock clock(kNoon);
        MemoryDatabase memory;
        FaultPlan plan{.fault = fault, .first = first, .count = count};
        FaultyDatabase faulty(memory, plan);
        Story(memory, faulty, clock).run();
        if (HasFailure()) return;
        if (plan.calls < first) {
            EXPECT_GT(first, 40) << "the story has become too small to mean anything";
            return;
        }
    }
}

std::string case_name(const testing::TestParamInfo<RemoteFaultsTest::ParamType>& info) {
    constexpr const char* kNames[] = {"Refused", "ReplyLost", "CommitLost"};
    const auto [fault, count] = info.param;
    return kNames[static_cast<int>(fault)] + std::to_string(count);
}

INSTANTIATE_TEST_SUITE_P(Faults, RemoteFaultsTest,
                         testing::Combine(testing::Values(Fault::refused, Fault::reply_lost,
                                                          Fault::commit_lost),
                                          testing::Values(1, 2, 12)),
                         case_name);

}  // namespace
}  // namespace millrace
