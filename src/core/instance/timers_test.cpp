#include <gtest/gtest.h>

#include "support/instance_driver.hpp"

namespace millrace {
namespace {

DefinitionPtr with_timer(std::string_view type, bool interrupting) {
    return flow(R"([{"id": "a", "type": ")" + std::string(type) +
                R"(", "jobType": "t", "nextStep": "end", "boundaryEvents": [{"type": "TIMER",
                    "duration": "PT10M", "targetStepId": "late", "interrupting": )" +
                (interrupting ? "true" : "false") + R"(}]},
        {"id": "late", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
        {"id": "end", "type": "END"}])");
}

// A9: what was interrupted cannot be completed any more.
TEST(InterruptingTimer, ClosesItsStepAndTakesTheToken) {
    for (const char* type : {"SERVICE_TASK", "USER_TASK", "WAIT"}) {
        SCOPED_TRACE(type);
        InstanceDriver run(with_timer(type, true));
        ASSERT_TRUE(run.start());
        ASSERT_TRUE(run.fire());
        EXPECT_EQ(run.told(), "a:FAILED late:RUNNING");
        EXPECT_EQ(run.history()[0].failure_reason, "interrupted by boundary timer");
        EXPECT_EQ(run.instance().status, InstanceStatus::active);
        ASSERT_TRUE(run.complete("late"));
        EXPECT_EQ(run.instance().status, InstanceStatus::completed);
    }
}

TEST(InterruptingTimer, CancelsTheJob) {
    InstanceDriver run(with_timer("SERVICE_TASK", true));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.fire());
    EXPECT_EQ(run.history()[0].job_status, JobState::cancelled);
}

TEST(PlainTimer, StartsItsTargetBesideTheStepOnce) {
    InstanceDriver run(with_timer("SERVICE_TASK", false));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.fire());
    EXPECT_EQ(run.told(), "a:RUNNING late:RUNNING");
    EXPECT_TRUE(run.timers().empty());
    ASSERT_TRUE(run.complete("a"));
    EXPECT_EQ(run.told(), "a:COMPLETED late:SKIPPED end:COMPLETED");
}

// A7: a timer goes with its step.
TEST(BoundaryTimers, VanishWithTheirStep) {
    InstanceDriver run(with_timer("SERVICE_TASK", true));
    ASSERT_TRUE(run.start());
    const TimerId timer = run.timers().begin()->first.id;
    ASSERT_TRUE(run.complete("a"));
    EXPECT_TRUE(run.timers().empty());
    const Status fired = run.handle(TimerFired{timer});
    ASSERT_FALSE(fired);
    EXPECT_EQ(fired.error().code, ErrorCode::not_found);
}

TEST(BoundaryTimers, NeverFireEarly) {
    InstanceDriver run(with_timer("SERVICE_TASK", true));
    ASSERT_TRUE(run.start());
    const TimerId timer = run.timers().begin()->first.id;
    run.pass(10min - 1us);
    const Status early = run.handle(TimerFired{timer});
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, ErrorCode::conflict);
    run.pass(1us);
    EXPECT_TRUE(run.handle(TimerFired{timer}));
}

// B3: days are days.
TEST(BoundaryTimers, FollowTheWholeOfIso8601) {
    InstanceDriver run(flow(R"([
        {"id": "a", "type": "WAIT", "nextStep": "end", "boundaryEvents": [
            {"type": "TIMER", "duration": "P7D", "interrupting": true, "targetStepId": "end"},
            {"type": "TIMER", "duration": "P1M", "interrupting": true, "targetStepId": "end"}]},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    std::vector<Instant> due;
    for (const auto& [key, timer] : run.timers()) due.push_back(timer.fire_at);
    EXPECT_EQ(due, (std::vector<Instant>{kNoon + 7 * 24h, kNoon + 31 * 24h}));
}

}  // namespace
}  // namespace millrace
