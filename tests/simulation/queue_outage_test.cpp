// Goal: an executor that is away for ten minutes and comes back has cost nothing: no execution
// failed, none lost an attempt, each has one run, and slots were free meanwhile.
// Method: one story, on every store, by a clock of the test.

#include <gtest/gtest.h>

#include "simulation/queue_story.hpp"
#include "store_conformance/world.hpp"

namespace millrace {
namespace {

constexpr int kSecondsAway = 600;
constexpr int kSecondsMax = 200;  // From then on.

class QueueOutage : public testing::TestWithParam<Candidate> {};

TEST_P(QueueOutage, TenMinutesCostNothing) {
    FakeClock clock(kNoon);
    const std::unique_ptr<World> world = GetParam().make();
    std::vector<Part> parts = remote_parts();
    for (Part& part : native_parts()) parts.push_back(std::move(part));
    QueueStory story(world->database(), clock, 1, std::move(parts));
    RemoteNode process(world->database(), clock, story.executors());

    story.cluster().weather = ScriptedCluster::Weather::refusing;
    for (int second = 0; second < kSecondsAway; ++second) story.pass_second(process);
    EXPECT_EQ(story.cluster().runs_begun, 0);
    EXPECT_LT(story.cluster().starts, 40) << "the longest pause is half a minute";
    story.expect_over(ExecutorKind::native);

    story.cluster().weather = ScriptedCluster::Weather::fine;
    for (int second = 0; second < kSecondsMax && !story.is_over(); ++second) {
        story.pass_second(process);
    }
    story.check();
    story.expect_no_attempt();
}

INSTANTIATE_TEST_SUITE_P(All, QueueOutage, testing::ValuesIn(kCandidates),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace millrace
