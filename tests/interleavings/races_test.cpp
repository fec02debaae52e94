// Races that were found, each at its stop. The whole of the pairs is in interleavings_test.cpp.

#include <gtest/gtest.h>

#include "interleavings/stage.hpp"

namespace millrace {
namespace {

const Scene& scene_named(const std::string& name) {
    for (const Scene& scene : scenes()) {
        if (scene.name == name) return scene;
    }
    std::abort();
}

Side only(const std::string& deed) {
    return {{&deed_named(deed), 1}};
}

// The first item: its execution, its open row, its instance.
constexpr const char* kFirstItem =
    "select execution.queue_status || ' ' || coalesce(open.place, '-') || ' ' "
    "|| coalesce(instance.status, '-') "
    "from execution left join execution_open as open using (id) "
    "left join instance using (id) order by execution.id limit 1";

class RacesTest : public testing::Test {
protected:
    void on(const std::string& scene) { stage_.emplace(scene_named(scene)); }

    // The first one is stopped before a statement; what is then of the first item.
    std::string race(const std::string& first, const std::string& statement,
                     const std::string& second) {
        stage_->play_in_turn(only(first), only(second));
        for (std::size_t at = 0;; ++at) {
            played_ = stage_->interleave(only(first), only(second), at);
            if (played_.stopped_before == statement) break;
            if (!played_.stopped_before.empty()) continue;
            ADD_FAILURE() << first << " does not come to " << statement;
            break;
        }
        EXPECT_EQ(played_.troubles, std::vector<std::string>{});
        return stage_->query(kFirstItem);
    }

    std::optional<Stage> stage_;
    Stage::Interleaved played_;
};

// It was told CANCELLED, its slot was free, and the instance ran on.
TEST_F(RacesTest, WhatIsLetInWhileItIsCancelledEndsWithItsInstance) {
    on("Waiting");
    EXPECT_EQ(race("admit", "COMMIT", "cancel_execution"), "CANCELLED - CANCELLED");
    EXPECT_TRUE(played_.has_waited);
}

// The place that was read before the lock was written over the new one: the slot was lost.
TEST_F(RacesTest, WhatIsClaimedWhileItIsCancelledKeepsItsSlot) {
    on("RemoteWaiting");
    EXPECT_EQ(race("admit", "COMMIT", "cancel_execution"), "CLAIMED ACTIVE -");
    EXPECT_TRUE(played_.has_waited);
    EXPECT_EQ(stage_->query("select count(*) from execution where cancel_requested_at is not null"),
              "1");
}

// It became a dead letter: "its instance is gone".
TEST_F(RacesTest, WhatResumesWaitsForAnInstanceThatSomebodyHasLocked) {
    on("Resuming");
    EXPECT_EQ(race("patch", "COMMIT", "admit"), "DISPATCHED ACTIVE ACTIVE");
    EXPECT_FALSE(played_.has_waited) << "an admission waits for nobody";
}

TEST_F(RacesTest, RetentionLeavesWhatWaitsToGoOn) {
    on("Resuming");
    stage_->play_in_turn(only("remove_instances"), only("admit"));
    EXPECT_EQ(stage_->query(kFirstItem), "DISPATCHED ACTIVE ACTIVE");
    on("Failed");
    EXPECT_EQ(race("resume_execution", "COMMIT", "remove_instances"), "PENDING READY FAILED");
    EXPECT_TRUE(played_.has_waited);
}

}  // namespace
}  // namespace millrace
