#include <gtest/gtest.h>

#include <chrono>

#include "engine/start_instance.hpp"
#include "node/node.hpp"
#include "store/memory/memory_database.hpp"
#include "support/fake_clock.hpp"
#include "support/faulty_database.hpp"
#include "support/instances.hpp"
#include "support/loop_driver.hpp"
#include "support/surroundings.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr int kCallsForEver = 1'000'000;

class HealthTest : public testing::Test {
protected:
    std::vector<runtime::Loop*> committers() {
        std::vector<runtime::Loop*> found;
        for (runtime::Loop* loop : node_.loops()) {
            if (loop->name() == "committer") found.push_back(loop);
        }
        return found;
    }

    void submit() {
        node_.commands().submit(
            StartInstance{.key = {{Id128::for_instance(kNoon, ++last_)}, kWorkspace},
                          .definition_id = "unknown"},
            [this](const Result<Instance>&) { answers_ += 1; });
    }

    MemoryDatabase memory_;
    FakeClock clock_{kNoon};
    FaultPlan plan_;
    FaultyDatabase database_{memory_, plan_, 2};
    Surroundings surroundings_;
    Node node_{surroundings_.context(database_, clock_), {}};
    std::uint64_t last_ = 0;
    int answers_ = 0;
};

// Each committer has held a batch until nobody waited for it any more. A server that is not ready
// is sent no commands, so the second one would never hear from the store again.
TEST_F(HealthTest, AnIdleCommitterNoticesThatTheStoreIsBack) {
    plan_.first = 1;
    plan_.count = kCallsForEver;
    ASSERT_EQ(committers().size(), 2u);
    for (runtime::Loop* committer : committers()) {
        submit();
        EXPECT_TRUE(committer->run_once().is_pause);
    }
    clock_.advance(limits::kCommandPatience + 1s);
    for (int round = 0; round < 2; ++round) {
        for (runtime::Loop* committer : committers()) EXPECT_TRUE(committer->run_once().is_pause);
    }
    EXPECT_EQ(answers_, 2);
    EXPECT_FALSE(node_.is_healthy());

    plan_.first = 0;
    submit();
    for (runtime::Loop* committer : committers()) committer->run_once();
    EXPECT_EQ(answers_, 3);
    EXPECT_TRUE(node_.is_healthy());
    for (runtime::Loop* committer : committers()) EXPECT_TRUE(is_idle(committer->run_once()));
}

TEST_F(HealthTest, AStopDoesNotWaitForAStoreThatIsAway) {
    plan_.first = 1;
    plan_.count = kCallsForEver;
    submit();
    runtime::Loop& committer = *committers().front();
    EXPECT_TRUE(committer.run_once().is_pause);
    node_.commands().close(clock_.now());
    EXPECT_TRUE(committer.run_once().is_pause) << "it had a batch in hand";
    EXPECT_EQ(answers_, 1);
    EXPECT_TRUE(is_idle(committer.run_once()));
}

}  // namespace
}  // namespace millrace
