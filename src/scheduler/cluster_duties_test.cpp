#include "scheduler/cluster_duties.hpp"

#include <gtest/gtest.h>

#include "support/instances.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

class ClusterDutiesTest : public testing::Test {
protected:
    ClusterDutiesTest() {
        for (int n = 0; n < 2; ++n) {
            duties_.add("duty " + std::to_string(n), [this, n] {
                runs_[n] += 1;
                if (loses_lease_) lease_.reset();
                return rounds_[n];
            });
        }
    }

    std::optional<DutyLease> lease_{{.duty = "cluster", .fence = 7}};
    ClusterDuties duties_{DutyRight([this] { return lease_; })};
    Round rounds_[2];
    int runs_[2] = {};
    bool loses_lease_ = false;
};

TEST_F(ClusterDutiesTest, GivesEachDutyItsTurnWhileItHoldsTheLease) {
    rounds_[0].next_at = kNoon + 2h;
    rounds_[1].next_at = kNoon + 1h;
    EXPECT_EQ(duties_.run_once(), (Round{.next_at = kNoon + 1h}));
    EXPECT_EQ(runs_[0] + runs_[1], 2);
    EXPECT_EQ(duties_.right().lease()->fence, 7);
}

TEST_F(ClusterDutiesTest, DoesNothingWhileAnotherHoldsIt) {
    lease_.reset();
    EXPECT_EQ(duties_.run_once(), Round{});
    EXPECT_EQ(runs_[0] + runs_[1], 0);
}

TEST_F(ClusterDutiesTest, StopsWhenTheLeaseIsLostOnTheWay) {
    loses_lease_ = true;
    duties_.run_once();
    EXPECT_EQ(runs_[0], 1);
    EXPECT_EQ(runs_[1], 0);
}

TEST_F(ClusterDutiesTest, OneThatFailsDoesNotHoldUpTheOthers) {
    rounds_[0].unhealthy = true;
    rounds_[1].next_at = kNoon;
    EXPECT_EQ(duties_.run_once(), (Round{.unhealthy = true, .next_at = kNoon}));
    EXPECT_EQ(runs_[1], 1);
    EXPECT_EQ(duties_.failed(), "duty 0");
    rounds_[0].unhealthy = false;
    duties_.run_once();
    EXPECT_EQ(duties_.failed(), "");
}

TEST(DutyRightTest, IsAlwaysHereWithoutACluster) {
    const DutyRight right;
    EXPECT_TRUE(right.is_here());
    EXPECT_FALSE(right.needs_lease());
    EXPECT_EQ(right.lease(), std::nullopt);
}

}  // namespace
}  // namespace millrace
