#include "node/loop_set.hpp"

#include <gtest/gtest.h>

#include "support/counting_random.hpp"
#include "support/fake_clock.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

class LoopSetTest : public testing::Test {
protected:
    FakeClock clock_{Instant{1'800'000'000s}};
    CountingRandom random_;
    observe::Log log_{{.sink = [](std::string_view) {
    }}};
    LoopSet loops_{clock_, random_, log_};
};

TEST_F(LoopSetTest, TurnsARoundIntoWhatItsRunnerDoesNext) {
    Round round;
    runtime::Loop& loop = loops_.add("a", [&] { return round; });
    EXPECT_FALSE(loop.run_once().after) << "only when woken";
    round = {.progressed = true, .next_at = clock_.now()};
    EXPECT_TRUE(loop.run_once().at_once);
    round = {.next_at = clock_.now() + 3s};
    EXPECT_EQ(loop.run_once().after, Duration{3s});
    round = {.next_at = clock_.now() - 3s};
    EXPECT_EQ(loop.run_once().after, Duration::zero());
    round = {.next_at = Instant::max()};
    EXPECT_EQ(loop.run_once().after, Duration{1h}) << "no clock sleeps for ever";
    EXPECT_TRUE(loops_.is_healthy());
    round = {.unhealthy = true};
    EXPECT_TRUE(loop.run_once().is_pause);
    EXPECT_FALSE(loops_.is_healthy());
    round = {};
    loop.run_once();
    EXPECT_TRUE(loops_.is_healthy());
}

TEST_F(LoopSetTest, ALoopThatDidNotAskTheStoreDoesNotTellThatItAnswers) {
    Round round{.unhealthy = true};
    runtime::Loop& loop =
        loops_.add("a", [&] { return round; }, {.is_store_asked_by_progress = true});
    loop.run_once();
    round = {};
    loop.run_once();
    EXPECT_FALSE(loops_.is_healthy());
    round = {.progressed = true};
    loop.run_once();
    EXPECT_TRUE(loops_.is_healthy());
}

TEST_F(LoopSetTest, ListsWhatIsNeededAndAHelpMayFail) {
    loops_.add("never", [] { return Round{}; }, {.is_needed = false});
    runtime::Loop& help =
        loops_.add("help", [] { return Round{.unhealthy = true}; }, {.is_a_help = true});
    int beats = 0;
    runtime::Loop& beat = loops_.add_beat("beat", 15s, [&] { beats += 1; });
    ASSERT_EQ(loops_.all().size(), 2u);
    EXPECT_EQ(loops_.all()[0], &help);
    EXPECT_TRUE(help.run_once().is_pause);
    EXPECT_TRUE(loops_.is_healthy());
    EXPECT_EQ(beat.run_once().after, Duration{15s});
    EXPECT_EQ(beats, 1);
}

}  // namespace
}  // namespace millrace
