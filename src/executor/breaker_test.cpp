#include "executor/breaker.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

using namespace std::chrono_literals;

Instant at(std::chrono::milliseconds since) {
    return Instant{} + since;
}

TEST(Breaker, OpensAfterFailuresInARow) {
    Breaker breaker({.failures_max = 3});
    breaker.failed(at(0ms));
    breaker.failed(at(1ms));
    breaker.succeeded();
    breaker.failed(at(2ms));
    breaker.failed(at(3ms));
    EXPECT_TRUE(breaker.admits(at(3ms)));
    breaker.failed(at(4ms));
    EXPECT_EQ(breaker.state(), Breaker::State::open);
    EXPECT_EQ(breaker.open_since(), at(4ms));
    EXPECT_EQ(breaker.tries_at(), at(1'004ms));
    EXPECT_FALSE(breaker.admits(at(1'003ms)));
}

TEST(Breaker, LetsOneCallTryAfterThePause) {
    Breaker breaker({.failures_max = 1});
    breaker.failed(at(0ms));
    EXPECT_TRUE(breaker.admits(at(1'000ms)));
    EXPECT_FALSE(breaker.admits(at(1'000ms)));
    breaker.succeeded();
    EXPECT_TRUE(breaker.admits(at(1'000ms)));
    EXPECT_TRUE(breaker.admits(at(1'000ms)));
    EXPECT_EQ(breaker.open_since(), std::nullopt);
}

TEST(Breaker, PausesTwiceAsLongEachTimeUpToAnEnd) {
    Breaker breaker({.failures_max = 1, .pause_min = 1s, .pause_max = 3s});
    Instant now = at(0ms);
    for (const auto pause : {1s, 2s, 3s, 3s}) {
        breaker.failed(now);
        EXPECT_EQ(breaker.tries_at(), now + pause);
        now += pause;
        EXPECT_TRUE(breaker.admits(now));
    }
    EXPECT_EQ(breaker.open_since(), at(0ms)) << "Failed tries do not begin a new outage.";
}

TEST(Breaker, CallsThatWereUnderWayDoNotMakeThePauseLonger) {
    Breaker breaker({.failures_max = 1});
    breaker.failed(at(0ms));
    breaker.failed(at(500ms));
    EXPECT_EQ(breaker.tries_at(), at(1'000ms));
}

}  // namespace
}  // namespace millrace
