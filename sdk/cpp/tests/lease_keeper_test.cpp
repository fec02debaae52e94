#include "lease_keeper.hpp"

#include <gtest/gtest.h>

#include "backoff.hpp"

namespace millrace::client {
namespace {

using namespace std::chrono_literals;

const LeaseKeeper::TimePoint kStart{};

class LeaseKeeperTest : public testing::Test {
protected:
    void add(const std::string& job_id, LeaseKeeper::TimePoint at) {
        keeper_.add({.job_id = job_id}, at,
                    [this, job_id](StopCause cause) { lost_.emplace_back(job_id, cause); });
    }
    // Extends what is due, with this answer, and tells which it was; in this time.
    std::vector<std::string> extend(LeaseKeeper::TimePoint now, const Status& answer = kDone) {
        std::vector<std::string> job_ids;
        while (const auto extension = keeper_.take_due(now)) {
            job_ids.push_back(extension->claim.job_id);
            within_ = extension->within;
            keeper_.note(*extension, answer, now);
        }
        return job_ids;
    }

    static inline const Status kDone = std::monostate{};
    using Ids = std::vector<std::string>;
    using Lost = std::vector<std::pair<std::string, StopCause>>;

    LeaseKeeper keeper_{30s};
    Lost lost_;
    Duration within_{};
};

TEST_F(LeaseKeeperTest, HasNothingDueWithoutJobs) {
    EXPECT_EQ(keeper_.next_due(), std::nullopt);
    EXPECT_EQ(extend(kStart + 1h), Ids{});
}

TEST_F(LeaseKeeperTest, ExtendsEachLeaseAfterAThirdOfItWithinAThirdOfWhatIsLeft) {
    add("a", kStart);
    add("b", kStart + 4s);
    EXPECT_EQ(keeper_.next_due(), kStart + 10s);
    EXPECT_EQ(extend(kStart + 9s), Ids{});
    EXPECT_EQ(extend(kStart + 10s), Ids{"a"});
    EXPECT_EQ(within_, Duration(20s) / 3);
    EXPECT_EQ(keeper_.next_due(), kStart + 14s);
    EXPECT_EQ(extend(kStart + 14s), Ids{"b"});
    EXPECT_EQ(keeper_.next_due(), kStart + 20s);
}

TEST_F(LeaseKeeperTest, OneThatIsBeingExtendedHoldsUpNoOther) {
    add("a", kStart);
    add("b", kStart);
    const auto first = keeper_.take_due(kStart + 10s);
    const auto second = keeper_.take_due(kStart + 10s);
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->claim.job_id, second->claim.job_id);
    EXPECT_FALSE(keeper_.take_due(kStart + 10s));
    EXPECT_EQ(keeper_.next_due(), kStart + 30s) << "they run out meanwhile";
    keeper_.note(*second, kDone, kStart + 12s);
    EXPECT_EQ(keeper_.next_due(), kStart + 20s) << "counted from before the call";
}

TEST_F(LeaseKeeperTest, ForgetsARemovedJob) {
    add("a", kStart);
    keeper_.remove("a");
    EXPECT_EQ(keeper_.next_due(), std::nullopt);
}

TEST_F(LeaseKeeperTest, TriesSoonerAgainWhenTheServerIsAway) {
    add("a", kStart);
    const auto extension = keeper_.take_due(kStart + 10s);
    keeper_.note(*extension, Error{.code = "unreachable"}, kStart + 10s);
    EXPECT_EQ(keeper_.next_due(), kStart + 12500ms);
    EXPECT_EQ(extend(kStart + 13s), Ids{"a"});
    EXPECT_EQ(keeper_.next_due(), kStart + 23s);
    EXPECT_EQ(lost_, Lost{});
}

TEST_F(LeaseKeeperTest, LeaseThatTheServerRefusesIsLost) {
    add("a", kStart);
    extend(kStart + 10s, Error{.status = 409, .code = "conflict"});
    EXPECT_EQ(keeper_.next_due(), std::nullopt);
    EXPECT_EQ(lost_, (Lost{{"a", StopCause::lease_lost}}));
}

TEST_F(LeaseKeeperTest, RefusalNamesItsCause) {
    for (const auto& [text, cause] :
         {std::pair("cancelled", StopCause::instance_cancelled),
          std::pair("timed_out", StopCause::timeout), std::pair("lost", StopCause::lease_lost)}) {
        add(text, kStart);
        extend(kStart + 10s,
               Error{.status = 409, .code = "conflict", .details = {{"cause", text}}});
        EXPECT_EQ(lost_.back(), std::pair(std::string(text), cause));
    }
}

TEST_F(LeaseKeeperTest, LeaseThatRanOutIsLost) {
    add("a", kStart);
    const auto unanswered = keeper_.take_due(kStart + 10s);
    EXPECT_EQ(extend(kStart + 30s), Ids{});
    EXPECT_EQ(lost_, (Lost{{"a", StopCause::lease_lost}}));
    keeper_.note(*unanswered, Error{.code = "timeout"}, kStart + 31s);
    EXPECT_EQ(lost_.size(), 1u);
}

TEST(Backoff, DoublesUpToItsLimitWithFullJitter) {
    Backoff backoff(1);
    Duration limit = 100ms;
    Duration longest = 0ms;
    for (int i = 0; i < 40; ++i) {
        const Duration wait = backoff.next();
        EXPECT_GE(wait, 0ms);
        EXPECT_LE(wait, limit);
        longest = std::max(longest, wait);
        limit = std::min<Duration>(limit * 2, 30s);
    }
    EXPECT_GT(longest, 20s);
    backoff.reset();
    EXPECT_LE(backoff.next(), 100ms);
}

}  // namespace
}  // namespace millrace::client
