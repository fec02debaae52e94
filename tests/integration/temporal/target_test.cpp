#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "temporal_case.hpp"

namespace millrace {
namespace {

class TemporalTargetTest : public TemporalCase {
protected:
    CallResult<NamespaceReport> namespace_of(const std::string& name) {
        return Answer<CallResult<NamespaceReport>>(
                   [&](auto done) { executor_->describe_namespace(name, kPatience, done); })
            .get();
    }

    std::vector<std::string> closed_since(Instant since) {
        std::vector<std::string> ids;
        std::string page;
        do {
            const CallResult<ClosedRuns> result =
                Answer<CallResult<ClosedRuns>>([&](auto done) {
                    executor_->list_closed({}, since, page, kPatience, done);
                }).get();
            EXPECT_TRUE(result.answer) << result.failure.code << " " << result.failure.message;
            if (!result.answer) break;
            std::ranges::copy(result.answer->workflow_ids, std::back_inserter(ids));
            page = result.answer->next_page;
        } while (!page.empty());
        return ids;
    }
};

bool contains(const std::vector<std::string>& ids, const ExecutionKey& key) {
    return std::ranges::find(ids, workflow_id(key)) != ids.end();
}

TEST_F(TemporalTargetTest, ANamespaceTellsItsRetention) {
    for (const std::string& name : {std::string{}, std::string{"default"}}) {
        const CallResult<NamespaceReport> result = namespace_of(name);
        ASSERT_TRUE(result.answer) << result.failure.message;
        EXPECT_TRUE(result.answer->is_found);
        EXPECT_GE(result.answer->retention, 1h);
    }
}

TEST_F(TemporalTargetTest, AnUnknownNamespaceIsNotThere) {
    const CallResult<NamespaceReport> result = namespace_of("nowhere");
    ASSERT_TRUE(result.answer) << result.failure.message;
    EXPECT_FALSE(result.answer->is_found);
}

TEST_F(TemporalTargetTest, ClosedRunsOfOursAreListedSomeTimeAfterTheirEnd) {
    const auto before = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
    const ExecutionKey completed = started("Nothing");
    const ExecutionKey failed = started("Fail");
    const ExecutionKey running = started("Wait");
    ASSERT_EQ(end_of(completed).state, RunState::completed);
    ASSERT_EQ(end_of(failed).state, RunState::failed);

    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    std::vector<std::string> ids;
    while (!contains(ids, completed) || !contains(ids, failed)) {
        ASSERT_LT(std::chrono::steady_clock::now(), deadline);
        ids = closed_since(before - 1s);
    }
    EXPECT_FALSE(contains(ids, running));
    EXPECT_FALSE(contains(closed_since(before + 1h), completed));
}

TEST_F(TemporalTargetTest, StopEndsWhatIsUnderWay) {
    const ExecutionKey key = started("Wait");
    Answer<CallResult<RunReport>> waiting(
        [&](auto done) { executor_->await_end(key, run_of(key, run_id_), 1h, done); });
    executor_->stop();
    const CallResult<RunReport> result = waiting.get();
    EXPECT_FALSE(result.answer);
    EXPECT_FALSE(result.failure.is_unreachable);
    EXPECT_EQ(result.failure.code, "CANCELLED");
}

TEST_F(TemporalTargetTest, AfterAStopAStartIsUnknownAndQuestionsFail) {
    executor_->stop();
    executor_->stop();
    const ExecutionKey key = new_execution();
    EXPECT_EQ(start(*executor_, start_of(key, "Echo")).outcome, StartOutcome::unknown);
    EXPECT_EQ(describe(*executor_, key).failure.code, "CANCELLED");
    EXPECT_EQ(cancel(*executor_, key, true).failure.code, "CANCELLED");
    EXPECT_EQ(namespace_of("default").failure.code, "CANCELLED");
    EXPECT_FALSE(opened(options_of_server()) == nullptr);
}

TEST_F(TemporalTargetTest, NobodyIsCalledBackAfterTheEndOfAnExecutor) {
    constexpr int kCalls = 20;
    const ExecutionKey key = started("Wait");
    std::atomic<int> called = 0;
    {
        const auto executor = opened(options_of_server());
        for (int count = 0; count < kCalls; ++count) {
            executor->await_end(key, run_of(key), 1h, [&](const auto&) { ++called; });
            executor->start(start_of(new_execution(), "Nothing"), kPatience,
                            [&](const StartAnswer&) { ++called; });
        }
    }
    EXPECT_EQ(called, 2 * kCalls);
}

}  // namespace
}  // namespace millrace
