#include "scheduler/due_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "support/fake_clock.hpp"
#include "support/jobs.hpp"

namespace millrace {
namespace {

// Work by name, due at a time, done when the test says so.
class DueLoopTest : public testing::Test {
protected:
    DueLoop<std::string>::Source source() {
        return {
            .due = [this](Instant now, std::int32_t most) -> Result<std::vector<std::string>> {
                if (is_away_) return Error{ErrorCode::unavailable, "away"};
                std::vector<std::string> due;
                for (const auto& [name, at] : work_) {
                    if (at <= now && std::ssize(due) < most) due.push_back(name);
                }
                return due;
            },
            .next = [this](Instant after) -> Result<std::optional<Instant>> {
                std::optional<Instant> next;
                for (const auto& [name, at] : work_) {
                    if (at > after) next = std::min(next.value_or(at), at);
                }
                return next;
            },
            .submit =
                [this](const std::string& name, std::function<void(const Status&)> done) {
                    submitted_.push_back(name);
                    pending_.push_back(std::move(done));
                },
        };
    }

    void end_all(const Status& status) {
        if (status) {
            for (const std::string& name : submitted_) work_.erase(name);
        }
        submitted_.clear();
        for (const auto& done : std::exchange(pending_, {})) done(status);
    }

    // The poisonous ones are refused, the others done.
    void end_by_name() {
        const std::vector<std::string> names = std::exchange(submitted_, {});
        const auto pending = std::exchange(pending_, {});
        for (std::size_t n = 0; n < names.size(); ++n) {
            const bool is_poison = names[n].starts_with("poison");
            if (!is_poison) work_.erase(names[n]);
            pending[n](is_poison ? Status(kRefused) : ok());
        }
    }

    static inline const Error kAway{ErrorCode::unavailable, "away"};
    static inline const Error kRefused{ErrorCode::data_refused, "poison"};

    FakeClock clock_{kNoon};
    std::map<std::string, Instant> work_;
    std::vector<std::string> submitted_;
    std::vector<std::function<void(const Status&)>> pending_;
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
    end_all(ok());
    EXPECT_EQ(wakes_, 1);
    EXPECT_EQ(loop_.run_once().next_at, std::nullopt);
}

TEST_F(DueLoopTest, PausesBeforeItTriesAgainWhatCouldNotBeDone) {
    work_["a"] = kNoon;
    loop_.run_once();
    end_all(kAway);
    EXPECT_EQ(loop_.run_once().next_at, kNoon + 1s);
    EXPECT_TRUE(submitted_.empty());
    clock_.advance(1s);
    loop_.run_once();
    EXPECT_EQ(submitted_.size(), 1u);
}

TEST_F(DueLoopTest, ReadsPastAThousandThatFail) {
    for (int n = 0; n < 1'000; ++n) work_["poison " + std::to_string(n)] = kNoon - 1h;
    work_["sound"] = kNoon;
    loop_.run_once();
    end_by_name();
    loop_.run_once();
    EXPECT_EQ(std::ranges::count(submitted_, "sound"), 1);
    end_by_name();
    EXPECT_EQ(work_.count("sound"), 0u);
    loop_.run_once();
    EXPECT_TRUE(submitted_.empty()) << "the others rest";
}

TEST_F(DueLoopTest, WhatFailsDelaysNothingThatFallsDueMeanwhile) {
    work_["poison"] = kNoon - 1h;
    work_["sound"] = kNoon + 300ms;
    loop_.run_once();
    end_by_name();
    EXPECT_EQ(loop_.run_once().next_at, kNoon + 300ms);
    clock_.advance(300ms);
    loop_.run_once();
    EXPECT_EQ(submitted_, std::vector<std::string>{"sound"});
}

TEST_F(DueLoopTest, OneThatHangsHoldsUpNobody) {
    work_["hangs"] = kNoon;
    loop_.run_once();
    work_["sound"] = kNoon;
    loop_.run_once();
    EXPECT_EQ(submitted_, (std::vector<std::string>{"hangs", "sound"}));
}

TEST_F(DueLoopTest, EachHasAPauseOfItsOwnThatGrows) {
    work_["poison"] = kNoon;
    for (const Duration pause : {1s, 2s, 4s, 8s}) {
        loop_.run_once();
        ASSERT_EQ(submitted_.size(), 1u);
        end_by_name();
        EXPECT_EQ(loop_.run_once().next_at, clock_.now() + pause);
        EXPECT_TRUE(submitted_.empty());
        clock_.advance(pause);
    }
    // A store that was away is back for all of them at once.
    work_ = {{"a", clock_.now()}};
    for (int n = 0; n < 5; ++n) {
        loop_.run_once();
        end_all(kAway);
        EXPECT_EQ(loop_.run_once().next_at, clock_.now() + 1s);
        clock_.advance(1s);
    }
}

TEST_F(DueLoopTest, TellsWhatIsOverdueAndWhatWasSetAside) {
    std::optional<Instant> since;
    std::size_t aside = 0;
    std::vector<std::string> told;
    DueLoop<std::string>::Notes notes{
        .set_aside =
            [&](const std::string& name, const Error& error, int failures) {
                told.push_back(name + error.detail + std::to_string(failures));
            },
        .overdue =
            [&](std::optional<Instant> oldest, std::size_t count) {
                since = oldest;
                aside = count;
            },
    };
    DueLoop<std::string> loop(
        source(), clock_, std::nullopt, [] {}, notes);
    work_["poison"] = kNoon - 1h;
    loop.run_once();
    EXPECT_EQ(since, kNoon - 1h);
    end_by_name();
    EXPECT_EQ(told, std::vector<std::string>{"poisonpoison1"});
    loop.run_once();
    EXPECT_EQ(aside, 1u);
    work_.clear();
    loop.run_once();
    loop.run_once();
    EXPECT_EQ(since, std::nullopt);
    EXPECT_EQ(aside, 0u);
}

// Two replicas see the same rows and begin with different ones.
// Thousands of one tenant were all that the loop saw for as long as they took.
TEST_F(DueLoopTest, ManyRowsOfOneTenantDoNotHideThoseOfOthers) {
    for (int n = 0; n < 30'000; ++n) work_["busy " + std::to_string(n)] = kNoon;
    for (int n = 0; n < 10; ++n) work_["quiet " + std::to_string(n)] = kNoon;
    DueLoop<std::string>::Source tenants = source();
    tenants.tenant = [](const std::string& name) {
        return name.substr(0, name.find(' '));
    };
    DueLoop<std::string> loop(tenants, clock_, std::nullopt, [] {});
    for (int look = 0; look < 5; ++look) loop.run_once();
    EXPECT_EQ(std::ranges::count_if(submitted_, [](const auto& name) { return name[0] == 'q'; }),
              10);
    EXPECT_LE(submitted_.size(), 1'000u);
    EXPECT_GE(submitted_.size(), 500u);
}

// A source that can go on after a row, and counts what it has read.
class LongDueLoopTest : public DueLoopTest {
protected:
    DueLoop<std::string>::Source counting_source() {
        DueLoop<std::string>::Source counting = source();
        counting.due_after = [this](Instant now, const std::optional<Due<std::string>>& after,
                                    std::int32_t most) -> Result<std::vector<Due<std::string>>> {
            std::vector<Due<std::string>> due;
            const auto place =
                after ? std::pair(after->at, after->key) : std::pair(Instant{}, std::string());
            for (auto row = by_time_.upper_bound(place); row != by_time_.end(); ++row) {
                if (row->first > now || std::ssize(due) == most) break;
                due.push_back({row->second, row->first});
            }
            rows_read_ += due.size();
            return due;
        };
        return counting;
    }

    void add(const std::string& name, Instant at) {
        work_[name] = at;
        by_time_.emplace(at, name);
    }

    // Looks for as long as it wants to look again at once; what it submits ends.
    std::vector<std::string> look() {
        std::vector<std::string> tried;
        for (int round = 0; round < 1'000; ++round) {
            const auto next_at = loop_.run_once().next_at;
            const bool is_over = submitted_.empty() && next_at != clock_.now();
            std::ranges::copy(submitted_, std::back_inserter(tried));
            for (const std::string& name : submitted_) {
                if (!name.starts_with("poison")) by_time_.erase({work_[name], name});
            }
            end_by_name();
            if (is_over) return tried;
        }
        ADD_FAILURE() << "it does not come to rest";
        return tried;
    }

    static constexpr int kPoison = 20'000;

    std::set<std::pair<Instant, std::string>> by_time_;
    std::size_t rows_read_ = 0;
    DueLoop<std::string> loop_{counting_source(), clock_, std::nullopt, [] {
                               }};
};

TEST_F(LongDueLoopTest, ManyThatWereSetAsideAreNotReadByEachLook) {
    for (int n = 0; n < kPoison; ++n) add("poison " + std::to_string(n), kNoon - 1h);
    EXPECT_EQ(look().size(), static_cast<std::size_t>(kPoison)) << "each is tried once";
    for (int n = 0; n < 10; ++n) {
        clock_.advance(10ms);
        add("sound " + std::to_string(n), clock_.now());
        rows_read_ = 0;
        EXPECT_EQ(look(), std::vector<std::string>{"sound " + std::to_string(n)});
        EXPECT_LE(rows_read_, 10u);
    }
}

TEST_F(LongDueLoopTest, WhatCameLateAndWhatHasRestedIsFoundByTheNextSweep) {
    for (int n = 0; n < 3'000; ++n) add("poison " + std::to_string(n), kNoon - 1h);
    EXPECT_EQ(look().size(), 3'000u);
    add("sound and late", kNoon - 2h);
    EXPECT_TRUE(look().empty());
    clock_.advance(5s);
    const std::vector<std::string> tried = look();
    EXPECT_EQ(tried.size(), 3'001u) << "they have rested";
    EXPECT_EQ(std::ranges::count(tried, "sound and late"), 1);
}

TEST_F(LongDueLoopTest, WorkOfThisProcessThatCameLateIsFoundAtOnce) {
    for (int n = 0; n < 3'000; ++n) add("poison " + std::to_string(n), kNoon - 1h);
    look();
    add("sound and late", kNoon - 1h - 1s);
    loop_.note(kNoon - 1h - 1s);
    EXPECT_EQ(look(), std::vector<std::string>{"sound and late"});
}

TEST_F(LongDueLoopTest, ForgetsThoseThatAreNoLongerDue) {
    std::size_t aside = 0;
    DueLoop<std::string>::Notes notes{.overdue = [&](std::optional<Instant>, std::size_t count) {
        aside = count;
    }};
    DueLoop<std::string> loop(
        counting_source(), clock_, std::nullopt, [] {}, notes);
    for (int n = 0; n < 3'000; ++n) add("poison " + std::to_string(n), kNoon - 1h);
    for (int round = 0; round < 20; ++round) {
        loop.run_once();
        end_by_name();
    }
    clock_.advance(500ms);
    by_time_.clear();
    for (int round = 0; round < 3; ++round) {
        clock_.advance(5s);
        loop.run_once();
    }
    EXPECT_EQ(aside, 0u);
}

TEST_F(DueLoopTest, ReplicasShareWhatIsDue) {
    for (int n = 0; n < 1'000; ++n) work_["row " + std::to_string(n)] = kNoon;
    std::vector<std::set<std::string>> begun;
    for (const std::uint64_t seed : {1u, 2u}) {
        DueLoop<std::string>::Source mine = source();
        mine.preference = [seed](const std::string& name) {
            return std::hash<std::string>{}(name + std::to_string(seed));
        };
        DueLoop<std::string> loop(mine, clock_, Duration{2s}, [] {});
        loop.run_once();
        begun.emplace_back(submitted_.begin(), submitted_.end());
        submitted_.clear();
        pending_.clear();
    }
    std::vector<std::string> both;
    std::ranges::set_intersection(begun[0], begun[1], std::back_inserter(both));
    EXPECT_EQ(begun[0].size(), 250u);
    EXPECT_LT(both.size(), 125u);
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
