#include "scheduler/cluster_member.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "support/fake_clock.hpp"
#include "support/instances.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

// The contract of Cluster in memory, with a clock of its own.
class MemoryCluster final : public Cluster {
public:
    explicit MemoryCluster(const Clock& clock) : clock_(clock) {}

    Result<std::vector<Replica>> report(const Replica& self, Duration fresh) override {
        if (is_down) return Error{ErrorCode::unavailable, "Down."};
        replicas_[self.id] = self;
        replicas_[self.id].seen_at = clock_.now();
        std::vector<Replica> alive;
        for (const auto& [id, replica] : replicas_) {
            if (replica.seen_at > clock_.now() - fresh) alive.push_back(replica);
        }
        return alive;
    }

    Status leave(const Id128& replica) override {
        replicas_.erase(replica);
        if (lease_.holder == replica) expires_at_ = {};
        return ok();
    }

    Result<std::optional<DutyLease>> hold(std::string_view duty, const Id128& replica,
                                          Duration duration) override {
        if (is_down) return Error{ErrorCode::unavailable, "Down."};
        const bool is_own = lease_.holder == replica;
        if (!is_own && expires_at_ > clock_.now()) return std::optional<DutyLease>{};
        lease_ = {std::string(duty), replica, lease_.fence + (is_own ? 0 : 1)};
        expires_at_ = clock_.now() + duration;
        return std::optional(lease_);
    }

    bool is_down = false;

private:
    const Clock& clock_;
    std::map<Id128, Replica> replicas_;
    DutyLease lease_;
    Instant expires_at_{};
};

class ClusterMemberTest : public testing::Test {
protected:
    ClusterMember::Listener listener() {
        return {.came = [this](const Replica& each) { told_ += "+" + each.name; },
                .gone = [this](const Replica& each) { told_ += "-" + each.name; },
                .lease_changed =
                    [this] {
                        lease_changes_ += 1;
                    }};
    }

    void run_both_for(Duration time) {
        for (Duration passed{}; passed < time; passed += 1s) {
            clock_.advance(1s);
            first_.run_once();
            second_.run_once();
        }
    }

    FakeClock clock_{kNoon};
    MemoryCluster cluster_{clock_};
    std::string told_;
    int lease_changes_ = 0;
    ClusterMember first_{cluster_, {.id = {0, 1}, .name = "a"}, clock_, listener()};
    ClusterMember second_{cluster_, {.id = {0, 2}, .name = "b"}, clock_, listener()};
};

TEST_F(ClusterMemberTest, BeatsRegularlyAndNotOnEveryWakeUp) {
    EXPECT_EQ(first_.run_once(), (Round{.next_at = kNoon + ClusterMember::kBeat}));
    clock_.advance(1s);
    EXPECT_EQ(first_.run_once(), (Round{.next_at = kNoon + ClusterMember::kBeat}));
    EXPECT_EQ(first_.replicas().size(), 1u);
}

TEST_F(ClusterMemberTest, BeatsAtOnceWhenAnotherHasToldThatItIsThere) {
    first_.run_once();
    second_.run_once();
    clock_.advance(1s);
    first_.hasten();
    EXPECT_EQ(first_.run_once(), (Round{.next_at = clock_.now() + ClusterMember::kBeat}));
    EXPECT_EQ(first_.replicas().size(), 2u);
}

TEST_F(ClusterMemberTest, TellsWhoComesAndGoes) {
    first_.run_once();
    EXPECT_EQ(told_, "");
    second_.run_once();
    EXPECT_EQ(told_, "+a");
    run_both_for(ClusterMember::kBeat);
    EXPECT_EQ(told_, "+a+b");
    second_.leave();
    clock_.advance(ClusterMember::kBeat);
    first_.run_once();
    EXPECT_EQ(told_, "+a+b-b");
    EXPECT_EQ(first_.replicas().size(), 1u);
}

TEST_F(ClusterMemberTest, OneHoldsTheLeaseUntilItLeaves) {
    first_.run_once();
    second_.run_once();
    run_both_for(1min);
    ASSERT_TRUE(first_.lease());
    EXPECT_EQ(first_.lease()->fence, 1);
    EXPECT_FALSE(second_.lease());
    EXPECT_EQ(lease_changes_, 1);

    first_.leave();
    EXPECT_FALSE(first_.lease());
    clock_.advance(ClusterMember::kBeat);
    second_.run_once();
    ASSERT_TRUE(second_.lease());
    EXPECT_EQ(second_.lease()->fence, 2);
}

TEST_F(ClusterMemberTest, FollowsAKilledHolderWithinSeconds) {
    first_.run_once();
    second_.run_once();
    const Instant killed_at = clock_.now();
    while (!second_.lease()) {
        clock_.advance(1s);
        second_.run_once();
    }
    EXPECT_LE(clock_.now() - killed_at, ClusterMember::kLeaseDuration + ClusterMember::kBeat);
    EXPECT_FALSE(first_.lease()) << "it knows by its own clock that its time is over";
}

TEST_F(ClusterMemberTest, KeepsTheLeaseThroughAShortFailureAndTellsWhenItIsBackFromALongOne) {
    first_.run_once();
    EXPECT_EQ(lease_changes_, 1);
    cluster_.is_down = true;
    clock_.advance(ClusterMember::kBeat);
    EXPECT_TRUE(first_.run_once().unhealthy);
    EXPECT_TRUE(first_.lease());
    clock_.advance(ClusterMember::kLeaseDuration);
    EXPECT_FALSE(first_.lease());
    cluster_.is_down = false;
    first_.run_once();
    EXPECT_EQ(first_.lease()->fence, 1) << "nobody has taken it meanwhile";
    EXPECT_EQ(lease_changes_, 2) << "whoever sleeps until the lease is back must know";
}

// A clock at which something happens right after it was read.
class EventfulClock final : public Clock {
public:
    Instant now() const override {
        const Instant now = now_;
        if (const auto event = std::exchange(after_next_reading, {})) event();
        return now;
    }
    void advance(Duration step) const { now_ += step; }

    mutable std::function<void()> after_next_reading{};

private:
    mutable Instant now_ = kNoon;
};

// Goal: whoever was told that the lease is not here is woken when it is.
// Method: the lease runs out, and the duties ask for it, at each reading of the clock during a
// beat.
TEST(ClusterMemberRaceTest, WhoAsksWhileTheLeaseRunsOutIsWokenWhenItIsHeldAgain) {
    for (int reading = 1; reading <= 3; ++reading) {
        const EventfulClock clock;
        const FakeClock store_clock(kNoon);
        MemoryCluster cluster(store_clock);
        bool is_woken = false;
        ClusterMember member(cluster, {.id = {0, 1}, .name = "a"}, clock,
                             {.came = [](const Replica&) {},
                              .gone = [](const Replica&) {},
                              .lease_changed =
                                  [&] {
                                      is_woken = true;
                                  }});
        member.run_once();
        ASSERT_TRUE(member.lease());
        clock.advance(ClusterMember::kLeaseDuration - 1us);
        is_woken = false;
        bool is_told_no = false;
        std::function<void()> run_out = [&] {
            clock.advance(1us);
            is_told_no = !member.lease();
        };
        for (int earlier = 1; earlier < reading; ++earlier) {
            run_out = [&clock, later = std::move(run_out)] {
                clock.after_next_reading = later;
            };
        }
        clock.after_next_reading = std::move(run_out);
        member.run_once();
        EXPECT_TRUE(member.lease());
        EXPECT_TRUE(is_woken || !is_told_no) << reading;
    }
}

}  // namespace
}  // namespace millrace
