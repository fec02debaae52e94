#include "scheduler/due_loop.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/fake_clock.hpp"
#include "support/jobs.hpp"

namespace millrace {
namespace {

// Work by name, due at a time, done when the test says so.
class DueLoopTest : public testing::Test {
protected:
    DueLoop<std::string>::Source source() {
        return {
            .due = [this](Instant now, std::int32_t) -> Result<std::vector<std::string>> {
                if (is_away_) return Error{ErrorCode::unavailable, "away"};
                std::vector<std::string> due;
                for (const auto& [name, at] : work_) {
                    if (at <= now) due.push_back(name);
                }
                return due;
            },
            .next = [this]() -> Result<std::optional<Instant>> {
                std::optional<Instant> next;
                for (const auto& [name, at] : work_) next = std::min(next.value_or(at), at);
                return next;
            },
            .submit =
                [this](const std::string& name, std::function<void(bool)> done) {
                    submitted_.push_back(name);
                    pending_.push_back(std::move(done));
                },
        };
    }

    void end_all(bool is_done) {
        if (is_done) {
            for (const std::string& name : submitted_) work_.erase(name);
        }
        submitted_.clear();
        for (const auto& done : std::exchange(pending_, {})) done(is_done);
    }

    FakeClock clock_{kNoon};
    std::map<std::string, Instant> work_;
    std::vector<std::string> submitted_;
    std::vector<std::function<void(bool)>> pending_;
    bool is_away_ = false;
    int wakes_ = 0;
    DueLoop<std::string> loop_{source(), clock_, std::nullopt, [this] {
                                   wakes_ += 1;
                               }};
};

TEST_F(DueLoopTest, SleepsUntilTheNextWorkIsDue) {
    EXPECT_EQ(loop_.run_once().next_at, std::nullopt);
    work_["a"] = kNoon + 5s;
    EXPECT_EQ(loop_.run_once().next_at, kNoon + 5s);
    EXPECT_TRUE(submitted_.empty());
    clock_.advance(5s);
    loop_.run_once();
    EXPECT_EQ(submitted_, std::vector<std::string>{"a"});
}

TEST_F(DueLoopTest, IsWokenByWorkThatIsDueEarlierOnly) {
    work_["a"] = kNoon + 5s;
    loop_.run_once();
    loop_.note(kNoon + 9s);
    EXPECT_EQ(wakes_, 0);
    loop_.note(kNoon + 2s);
    EXPECT_EQ(wakes_, 1);
}

TEST_F(DueLoopTest, SubmitsNothingTwiceWhileItIsUnderWay) {
    work_["a"] = kNoon;
    loop_.run_once();
    loop_.run_once();
    EXPECT_EQ(submitted_.size(), 1u);
    end_all(true);
    EXPECT_EQ(wakes_, 1);
    EXPECT_EQ(loop_.run_once().next_at, std::nullopt);
}

TEST_F(DueLoopTest, PausesBeforeItTriesAgainWhatCouldNotBeDone) {
    work_["a"] = kNoon;
    loop_.run_once();
    end_all(false);
    EXPECT_EQ(loop_.run_once().next_at, kNoon + 1s);
    EXPECT_TRUE(submitted_.empty());
    clock_.advance(1s);
    loop_.run_once();
    EXPECT_EQ(submitted_.size(), 1u);
}

TEST_F(DueLoopTest, SaysWhenTheStoreIsAway) {
    is_away_ = true;
    EXPECT_TRUE(loop_.run_once().unhealthy);
}

TEST_F(DueLoopTest, NeverSleepsLongerThanItMay) {
    DueLoop<std::string> shared(source(), clock_, Duration{2s}, [] {});
    EXPECT_EQ(shared.run_once().next_at, kNoon + 2s);
    work_["a"] = kNoon + 1s;
    EXPECT_EQ(shared.run_once().next_at, kNoon + 1s);
}

}  // namespace
}  // namespace millrace
