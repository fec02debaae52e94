#include "support/loop_driver.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>

namespace millrace {
namespace {

using Next = runtime::Loop::Next;

// Loops that do as a test says, and what was called in turn.
class LoopDriverTest : public testing::Test {
protected:
    // A call of it gives the next of these, and nothing to do after the last.
    runtime::Loop& add(const std::string& name, std::deque<Next> script = {}) {
        auto& loop = loops_.emplace_back(name, [this, name, script]() mutable -> Next {
            called_ += name;
            if (script.empty()) return {};
            const Next next = script.front();
            script.pop_front();
            return next;
        });
        driver_.start(loop);
        return loop;
    }

    std::string settled() {
        called_.clear();
        EXPECT_TRUE(driver_.settle());
        return called_;
    }

    std::deque<runtime::Loop> loops_;
    LoopDriver driver_;
    std::string called_;
};

constexpr Next kMore{.at_once = true};
constexpr Next kPause{.after = std::chrono::seconds{1}, .is_pause = true};

TEST_F(LoopDriverTest, CallsAllInOrderWhileOneHasMoreToDo) {
    add("a");
    add("b", {kMore, kMore});
    EXPECT_EQ(settled(), "ababab");
    EXPECT_EQ(settled(), "ab") << "each is called once at least";
}

TEST_F(LoopDriverTest, AWakeUpAsksForAnotherRound) {
    runtime::Loop& first = add("a");
    runtime::Loop last("b", [this, &first]() -> Next {
        if (called_ == "a") first.wake();
        called_ += "b";
        return {};
    });
    driver_.start(last);
    EXPECT_EQ(settled(), "abab");
    first.wake();
    EXPECT_EQ(settled(), "abab") << "the wake-up from before is answered by the first call";
}

TEST_F(LoopDriverTest, APauseLastsUntilTheNextTimeUnlessItIsToBeRetried) {
    add("a", {kPause, kPause, kPause});
    EXPECT_EQ(settled(), "a");
    driver_.retried = {"a"};
    EXPECT_EQ(settled(), "aaa");
}

TEST_F(LoopDriverTest, WhatRestsIsNotCalledAndAsksForNothing) {
    runtime::Loop& resting = add("a");
    add("b");
    driver_.resting = {"a"};
    resting.wake();
    EXPECT_EQ(settled(), "b");
}

TEST_F(LoopDriverTest, StandsStillWhereItIsTold) {
    add("a");
    add("b", {kMore});
    EXPECT_TRUE(driver_.settle([this] { return called_ != "ab"; }));
    EXPECT_EQ(called_, "ab");
}

TEST_F(LoopDriverTest, TellsOfLoopsThatNeverRest) {
    runtime::Loop busy("a", [] { return kMore; });
    driver_.start(busy);
    EXPECT_FALSE(driver_.settle());
}

TEST_F(LoopDriverTest, WhatIsFinishedEndsBesideTheOthers) {
    runtime::Loop& ending = add("a", {kMore});
    add("b");
    driver_.before_finish = [this](runtime::Loop& loop) {
        called_ += "end of " + loop.name() + " ";
    };
    driver_.finish(ending);
    EXPECT_EQ(called_, "end of a abab");
    EXPECT_EQ(settled(), "b");
    driver_.finish(ending);
    EXPECT_EQ(called_, "b") << "it does not run any more";
}

}  // namespace
}  // namespace millrace
