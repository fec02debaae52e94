#include "runtime/loop_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace millrace::runtime {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 30s;

TEST(LoopThreadTest, AWakeUpEndsASleep) {
    std::promise<void> slept;
    std::promise<void> woken;
    int calls = 0;
    Loop loop("test", [&]() -> Loop::Next {
        calls += 1;
        if (calls == 1) slept.set_value();
        if (calls == 2) woken.set_value();
        return {.after = 1h};
    });
    LoopThread thread(loop);
    ASSERT_EQ(slept.get_future().wait_for(kPatience), std::future_status::ready);
    loop.wake();
    EXPECT_EQ(woken.get_future().wait_for(kPatience), std::future_status::ready);
    thread.stop();
}

// Work that comes in while the store is down must not make the loop ask it again and again.
TEST(LoopThreadTest, AWakeUpDoesNotCutAPauseShort) {
    const auto pause = 50ms;
    std::promise<void> failed;
    std::promise<std::chrono::steady_clock::time_point> again;
    int calls = 0;
    Loop loop("test", [&]() -> Loop::Next {
        calls += 1;
        if (calls == 1) {
            failed.set_value();
            return {.after = pause, .is_pause = true};
        }
        if (calls == 2) again.set_value(std::chrono::steady_clock::now());
        return {};
    });
    const auto began = std::chrono::steady_clock::now();
    LoopThread thread(loop);
    failed.get_future().wait();
    for (int n = 0; n < 10; ++n) loop.wake();
    auto second = again.get_future();
    ASSERT_EQ(second.wait_for(kPatience), std::future_status::ready);
    EXPECT_GE(second.get() - began, pause);
    thread.stop();
}

TEST(LoopThreadTest, StoppingEndsAPause) {
    std::promise<void> failed;
    std::atomic<int> calls = 0;
    Loop loop("test", [&]() -> Loop::Next {
        if (++calls == 1) failed.set_value();
        return {.after = 1h, .is_pause = true};
    });
    LoopThread thread(loop);
    failed.get_future().wait();
    thread.stop();
    EXPECT_EQ(calls, 1);
}

// Somebody waits for the last answers, and the store must not be asked again and again meanwhile.
TEST(LoopThreadTest, FinishingTriesTheRestWithShortPauses) {
    std::promise<void> failed;
    std::atomic<int> calls = 0;
    Loop loop("test", [&]() -> Loop::Next {
        calls += 1;
        if (calls == 1) failed.set_value();
        if (calls < 5) return {.after = 1h, .is_pause = true};
        return {};
    });
    LoopThread thread(loop);
    failed.get_future().wait();
    const auto began = std::chrono::steady_clock::now();
    thread.finish();
    EXPECT_EQ(calls, 5);
    EXPECT_GE(std::chrono::steady_clock::now() - began, 3 * 100ms) << "only the first is cut short";
}

TEST(LoopThreadsTest, GiveEachLoopAThreadAndEndIt) {
    std::promise<void> first;
    std::promise<void> second;
    int calls = 0;
    Loop one("one", [&]() -> Loop::Next {
        first.set_value();
        return {};
    });
    Loop other("other", [&]() -> Loop::Next {
        if (++calls == 1) second.set_value();
        return {};
    });
    Loop never("never", []() -> Loop::Next { return {}; });
    LoopThreads threads;
    threads.start(one);
    threads.start(other);
    EXPECT_EQ(first.get_future().wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(second.get_future().wait_for(kPatience), std::future_status::ready);
    threads.stop(one);
    threads.finish(other);
    EXPECT_EQ(calls, 2) << "one more look before it ends";
    threads.stop(never);
}

TEST(LoopTest, RemembersAWakeUpForThoseWhoRunIt) {
    Loop loop("test", []() -> Loop::Next { return {}; });
    EXPECT_FALSE(loop.take_wake());
    EXPECT_FALSE(loop.wake_if_idle()) << "nobody waits in it";
    loop.wake();
    EXPECT_TRUE(loop.take_wake());
    EXPECT_FALSE(loop.take_wake());
}

TEST(LoopTest, IsIdleAfterACallThatAsksForNoOtherWhoeverCallsIt) {
    Loop::Next next{};
    bool was_idle = true;
    Loop* self = nullptr;
    Loop loop("a", [&] {
        was_idle = self->wake_if_idle();
        return next;
    });
    self = &loop;
    loop.run_once();
    EXPECT_FALSE(was_idle) << "it was at work";
    EXPECT_TRUE(loop.wake_if_idle());
    EXPECT_FALSE(loop.wake_if_idle()) << "it gets up already";
    EXPECT_TRUE(loop.take_wake());
    next = {.after = 1s};
    loop.run_once();
    EXPECT_TRUE(loop.wake_if_idle());
    loop.take_wake();
    next = {.at_once = true};
    loop.run_once();
    EXPECT_FALSE(loop.wake_if_idle());
    next = {.after = 1s, .is_pause = true};
    loop.run_once();
    EXPECT_FALSE(loop.wake_if_idle());
}

TEST(LoopTest, IsNotIdleWhenItHasEnded) {
    Loop stopped("stopped", []() -> Loop::Next { return {}; });
    stopped.run_once();
    stopped.stop();
    EXPECT_FALSE(stopped.wake_if_idle());
    Loop finished("finished", []() -> Loop::Next { return {}; });
    finished.finish();
    EXPECT_TRUE(finished.sleep({})) << "it looks once more";
    EXPECT_FALSE(finished.sleep(finished.run_once()));
    EXPECT_FALSE(finished.wake_if_idle());
}

}  // namespace
}  // namespace millrace::runtime
