#include "dispatch/hint_collector.hpp"

#include <gtest/gtest.h>

#include "core/job/transitions.hpp"
#include "support/fake_clock.hpp"
#include "support/instances.hpp"
#include "support/jobs.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

class KeepingSender final : public HintSender {
public:
    Status send(const Hint& hint) override {
        if (during_send) during_send();
        if (is_down) return Error{ErrorCode::unavailable, "Down."};
        sent.push_back(hint);
        return ok();
    }

    std::vector<Hint> sent{};
    bool is_down = false;
    std::function<void()> during_send{};
};

class HintCollectorTest : public testing::Test {
protected:
    HintCollectorTest() { collector_.set_audience(true); }

    static Writes fresh(std::string type) {
        Job job;
        job.key.workspace_id = kWorkspace;
        job.job_type = {std::move(type)};
        return {.jobs_new = {job}};
    }

    static WaitingType waiting(std::string type) { return {kWorkspace, {std::move(type)}}; }

    HintCollector::Round run_later() {
        clock_.advance(HintCollector::kInterval);
        return collector_.run_once();
    }

    FakeClock clock_{kNoon};
    KeepingSender sender_;
    int wakes_ = 0;
    HintCollector collector_{sender_, clock_, [this] {
                                 wakes_ += 1;
                             }};
};

TEST_F(HintCollectorTest, TellsOfTypesThatGotUnclaimedJobs) {
    collector_.on_commit(fresh("t"));
    EXPECT_EQ(wakes_, 1);
    EXPECT_EQ(collector_.run_once().sent, 1u);
    EXPECT_EQ(sender_.sent, std::vector<Hint>{{.waiting = {waiting("t")}}});
    EXPECT_EQ(run_later().sent, 0u);
}

TEST_F(HintCollectorTest, SaysNothingOfJobsThatWereBornClaimed) {
    Writes writes = fresh("t");
    writes.jobs_new[0].status = JobState::locked;
    writes.instances_changed.push_back({.key = instance_key(1)});
    collector_.on_commit(writes);
    EXPECT_EQ(wakes_, 0);
    EXPECT_EQ(collector_.run_once().sent, 0u);
}

TEST_F(HintCollectorTest, TellsOfKeysThatCameOrWereRevoked) {
    collector_.on_commit({.api_keys = {{.id = "new"}}});
    collector_.on_commit({.api_keys_revoked = {{.id = "old"}}});
    collector_.run_once();
    EXPECT_EQ(sender_.sent, (std::vector<Hint>{{.api_keys = {"new", "old"}}}));
}

TEST_F(HintCollectorTest, SaysNothingWhileThereIsNobodyElse) {
    collector_.set_audience(false);
    collector_.on_commit(fresh("t"));
    EXPECT_EQ(wakes_, 0);
    EXPECT_EQ(collector_.run_once().sent, 0u);
    collector_.tell_of_members();
    collector_.run_once();
    EXPECT_EQ(sender_.sent, std::vector<Hint>{{.members_changed = true}});
}

TEST_F(HintCollectorTest, GathersWhatComesUpWhileAHintIsUnderWay) {
    sender_.during_send = [this] {
        collector_.on_commit(fresh("b"));
        collector_.on_commit(fresh("c"));
        collector_.on_commit(fresh("b"));
        sender_.during_send = nullptr;
    };
    collector_.on_commit(fresh("a"));
    EXPECT_EQ(collector_.run_once().coalesced, 0u);
    EXPECT_EQ(run_later().coalesced, 2u);
    EXPECT_EQ(sender_.sent, (std::vector<Hint>{{.waiting = {waiting("a")}},
                                               {.waiting = {waiting("b"), waiting("c")}}}));
}

TEST_F(HintCollectorTest, SendsAtMostOneHintPerInterval) {
    collector_.on_commit(fresh("a"));
    EXPECT_EQ(collector_.run_once().next_at, kNoon + HintCollector::kInterval);
    collector_.on_commit(fresh("b"));
    EXPECT_EQ(collector_.run_once().next_at, kNoon + HintCollector::kInterval);
    EXPECT_EQ(sender_.sent.size(), 1u);
    run_later();
    EXPECT_EQ(sender_.sent.size(), 2u);
}

TEST_F(HintCollectorTest, SomeChangedInstancesRideAlong) {
    Writes writes = fresh("t");
    for (std::uint64_t n = 1; n <= 2 * HintCollector::kInstancesMax; ++n) {
        writes.instances_changed.push_back({.key = instance_key(n)});
    }
    collector_.on_commit(writes);
    collector_.run_once();
    EXPECT_EQ(sender_.sent.at(0).instances.size(), HintCollector::kInstancesMax);
    EXPECT_FALSE(sender_.sent[0].is_incomplete);
}

TEST_F(HintCollectorTest, TooManyTypesBecomeAnIncompleteHint) {
    for (std::size_t n = 0; n <= HintCollector::kTypesMax; ++n) {
        collector_.on_commit(fresh(std::to_string(n)));
    }
    EXPECT_EQ(wakes_, 1);
    collector_.run_once();
    EXPECT_EQ(sender_.sent, std::vector<Hint>{{.is_incomplete = true}});
}

TEST_F(HintCollectorTest, WhatCouldNotBeToldMakesTheOthersLook) {
    sender_.is_down = true;
    collector_.on_commit(fresh("t"));
    collector_.tell_of_members();
    EXPECT_TRUE(collector_.run_once().unhealthy);
    sender_.is_down = false;
    EXPECT_EQ(run_later().sent, 1u);
    EXPECT_EQ(sender_.sent, (std::vector<Hint>{{.members_changed = true, .is_incomplete = true}}));
}

}  // namespace
}  // namespace millrace
