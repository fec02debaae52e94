#include "runtime/stop_signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <semaphore>
#include <vector>

namespace millrace::runtime {
namespace {

using namespace std::chrono_literals;

class StopSignalsTest : public testing::TestWithParam<int> {};

TEST_P(StopSignalsTest, CallsBackInsteadOfEndingTheProcess) {
    std::promise<int> seen;
    StopSignals signals([&seen](int signal) { seen.set_value(signal); });
    ASSERT_EQ(kill(getpid(), GetParam()), 0);
    auto future = seen.get_future();
    ASSERT_EQ(future.wait_for(30s), std::future_status::ready);
    EXPECT_EQ(future.get(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Signals, StopSignalsTest, testing::Values(SIGTERM, SIGINT));

// Two signals of one kind that wait become one, so the kinds alternate.
TEST(StopSignalsEchoTest, TakesASignalRightBehindTheFirstForItsEcho) {
    struct Case {
        std::chrono::milliseconds after;
        std::vector<int> called;
    };
    for (const auto& [after, called] :
         {Case{0ms, {SIGTERM, SIGTERM}}, Case{StopSignals::kEcho - 1ms, {SIGTERM, SIGTERM}},
          Case{StopSignals::kEcho, {SIGTERM, SIGINT, SIGTERM}}}) {
        std::counting_semaphore<> heard(0);
        std::atomic<std::chrono::milliseconds> time = 0ms;
        std::vector<int> seen;
        {
            StopSignals signals([&seen](int signal) { seen.push_back(signal); },
                                [&] {
                                    const std::chrono::steady_clock::time_point now(time.load());
                                    heard.release();  // From here on the time may change.
                                    return now;
                                });
            const auto send = [&](int signal) {
                ASSERT_EQ(kill(getpid(), signal), 0);
                ASSERT_TRUE(heard.try_acquire_for(30s));
            };
            send(SIGTERM);
            time = after;
            send(SIGINT);
            time = 2 * StopSignals::kEcho;
            send(SIGTERM);
        }
        EXPECT_EQ(seen, called) << after.count();
    }
}

TEST(StopSignalsEndTest, EndsWithoutASignal) {
    bool called = false;
    {
        StopSignals signals([&called](int) { called = true; });
    }
    EXPECT_FALSE(called);
}

}  // namespace
}  // namespace millrace::runtime
