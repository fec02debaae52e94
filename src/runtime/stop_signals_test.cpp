#include "runtime/stop_signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <future>

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

TEST(StopSignalsEndTest, EndsWithoutASignal) {
    bool called = false;
    {
        StopSignals signals([&called](int) { called = true; });
    }
    EXPECT_FALSE(called);
}

}  // namespace
}  // namespace millrace::runtime
