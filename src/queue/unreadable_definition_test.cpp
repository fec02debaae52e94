#include <gtest/gtest.h>

#include "support/blind_database.hpp"
#include "support/remote_world.hpp"

namespace millrace {
namespace {

// Goal: a server that cannot read a definition, because a newer one wrote it, does not end an
// execution whose run may go on.
// Method: one process starts it; another one, which cannot read its definition, takes it over.
class UnreadableDefinitionTest : public RemoteWorld {
protected:
    void take_over() {
        node_.dispatches = node_.attends = node_.starts = false;
        blind_.is_blind = true;
        advance(70s);
    }

    BlindDatabase blind_{database_};
    RemoteSettings other_settings_{.owner = "replica-2"};
    RemoteNode other_{blind_, clock_, executors(), other_settings_};

    void advance(Duration time) {
        for (Duration passed{}; passed < time; passed += 1s) {
            clock_.advance(1s);
            cluster_.pass_time();
            node_.settle();
            other_.settle();
        }
    }
};

TEST_F(UnreadableDefinitionTest, AStartThatMayHaveHappenedStaysInDoubt) {
    other_.dispatches = false;
    cluster_.next_starts = {{.answer = {.outcome = StartOutcome::unknown}, .happens = true}};
    const ExecutionKey key = node_.enqueue(1);
    node_.dispatches = node_.starts = true;
    node_.attends = false;
    node_.settle();
    ASSERT_TRUE(cluster_.has_run(key));
    node_.starts = node_.dispatches = false;
    blind_.is_blind = true;
    advance(3s);
    EXPECT_EQ(other_.status(key), "CLAIMED");
    EXPECT_EQ(active(), 1) << "it keeps its slot";
    EXPECT_GT(other_.execution(key).recoveries, 0);

    blind_.is_blind = false;
    advance(60s);
    EXPECT_EQ(other_.status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.runs_begun, 1);
}

TEST_F(UnreadableDefinitionTest, ARunWhoseNamespaceIsNotKnownIsLookedAtLater) {
    other_.dispatches = false;
    const ExecutionKey key = node_.enqueue(1);
    node_.settle();
    ASSERT_EQ(node_.status(key), "DISPATCHED");
    take_over();
    EXPECT_EQ(other_.status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.describes, 0) << "another namespace would not know it";
    EXPECT_GT(other_.execution(key).due_at, clock_.now()) << "but it is looked at again";

    blind_.is_blind = false;
    cluster_.end_run(key, RunState::completed);
    advance(RemoteSettings{}.pace.longest + 1s);
    EXPECT_EQ(other_.status(key), "COMPLETED");
}

}  // namespace
}  // namespace millrace
