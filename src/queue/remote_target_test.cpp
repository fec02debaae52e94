#include "queue/remote_target.hpp"

#include <gtest/gtest.h>

#include "support/remote_node.hpp"

namespace millrace {
namespace {

using Lane = RemoteTarget::Lane;

class RemoteTargetTest : public testing::Test {
protected:
    const RemoteSettings settings_{.parallel_calls = 2, .parallel_looks = 1};
    FakeClock clock_{kNoon};
    ScriptedCluster cluster_{clock_};
    ToldListener listener_;
    RemoteTarget target_{"main", cluster_, listener_, settings_};
};

TEST_F(RemoteTargetTest, EachLaneHasItsBound) {
    EXPECT_TRUE(target_.enter(Lane::start, kNoon));
    EXPECT_TRUE(target_.enter(Lane::start, kNoon));
    EXPECT_FALSE(target_.enter(Lane::start, kNoon));
    EXPECT_TRUE(target_.enter(Lane::look, kNoon));
    EXPECT_FALSE(target_.enter(Lane::look, kNoon));
    target_.leave(Lane::start);
    EXPECT_TRUE(target_.enter(Lane::start, kNoon));
}

TEST_F(RemoteTargetTest, PausesAfterFailuresAndLetsOneTry) {
    for (int i = 0; i < 3; ++i) target_.not_reached(kNoon);
    EXPECT_EQ(target_.paused_until(kNoon), kNoon + 1s);
    EXPECT_FALSE(target_.is_reachable());
    EXPECT_FALSE(target_.enter(Lane::look, kNoon));
    EXPECT_EQ(target_.paused_until(kNoon + 1s), std::nullopt);
    EXPECT_TRUE(target_.enter(Lane::look, kNoon + 1s));
    EXPECT_TRUE(target_.is_trying());
    EXPECT_FALSE(target_.enter(Lane::start, kNoon + 1s));
    target_.note(CallResult<bool>{.answer = true}, kNoon + 1s);
    EXPECT_TRUE(target_.is_reachable());
    EXPECT_EQ(listener_.breaker,
              (std::vector<std::string>{"main open", "main trying", "main closed"}));
}

TEST_F(RemoteTargetTest, ARefusalIsAnAnswer) {
    target_.not_reached(kNoon);
    target_.not_reached(kNoon);
    target_.note(CallResult<bool>{.failure = {.code = "PERMISSION_DENIED"}}, kNoon);
    target_.note(CallResult<bool>{.failure = {.is_unreachable = true}}, kNoon);
    EXPECT_TRUE(target_.is_reachable());
}

}  // namespace
}  // namespace millrace
