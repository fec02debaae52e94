#include "lease_keeper.hpp"

#include <gtest/gtest.h>

#include "backoff.hpp"

namespace millrace::client {
namespace {

using namespace std::chrono_literals;

const LeaseKeeper::TimePoint kStart{};

struct Extensions {
    std::vector<std::string> job_ids{};
    std::vector<Status> answers{};

    LeaseKeeper::Extend extend() {
        return [this](const JobClaim& claim) -> Status {
            job_ids.push_back(claim.job_id);
            if (answers.empty()) return std::monostate{};
            const Status answer = answers.front();
            answers.erase(answers.begin());
            return answer;
        };
    }
};

TEST(LeaseKeeper, HasNothingDueWithoutJobs) {
    Extensions extensions;
    LeaseKeeper keeper(30s, extensions.extend());
    EXPECT_EQ(keeper.next_due(), std::nullopt);
    keeper.extend_due(kStart + 1h);
    EXPECT_TRUE(extensions.job_ids.empty());
}

TEST(LeaseKeeper, ExtendsEachLeaseAfterAThirdOfIt) {
    Extensions extensions;
    LeaseKeeper keeper(30s, extensions.extend());
    keeper.add({.job_id = "a"}, kStart);
    keeper.add({.job_id = "b"}, kStart + 4s);
    EXPECT_EQ(keeper.next_due(), kStart + 10s);
    keeper.extend_due(kStart + 9s);
    EXPECT_TRUE(extensions.job_ids.empty());
    keeper.extend_due(kStart + 10s);
    EXPECT_EQ(extensions.job_ids, std::vector<std::string>{"a"});
    EXPECT_EQ(keeper.next_due(), kStart + 14s);
    keeper.extend_due(kStart + 14s);
    EXPECT_EQ(extensions.job_ids, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(keeper.next_due(), kStart + 20s);
}

TEST(LeaseKeeper, ForgetsARemovedJob) {
    Extensions extensions;
    LeaseKeeper keeper(30s, extensions.extend());
    keeper.add({.job_id = "a"}, kStart);
    keeper.remove("a");
    EXPECT_EQ(keeper.next_due(), std::nullopt);
}

TEST(LeaseKeeper, TriesSoonerAgainWhenTheServerIsAway) {
    Extensions extensions{.answers = {Error{.code = "unreachable"}}};
    LeaseKeeper keeper(30s, extensions.extend());
    keeper.add({.job_id = "a"}, kStart);
    keeper.extend_due(kStart + 10s);
    EXPECT_EQ(keeper.next_due(), kStart + 12500ms);
}

TEST(LeaseKeeper, ForgetsALeaseThatTheServerRefuses) {
    Extensions extensions{.answers = {Error{.status = 409, .code = "conflict"}}};
    LeaseKeeper keeper(30s, extensions.extend());
    keeper.add({.job_id = "a"}, kStart);
    keeper.extend_due(kStart + 10s);
    EXPECT_EQ(keeper.next_due(), std::nullopt);
}

TEST(Backoff, DoublesUpToItsLimitWithinItsJitter) {
    Backoff backoff(1);
    Duration middle = 100ms;
    for (int i = 0; i < 20; ++i) {
        const Duration wait = backoff.next();
        EXPECT_GE(wait, middle * 4 / 5);
        EXPECT_LE(wait, middle * 6 / 5);
        middle = std::min<Duration>(middle * 2, 30s);
    }
    backoff.reset();
    EXPECT_LE(backoff.next(), 120ms);
}

}  // namespace
}  // namespace millrace::client
