// A duty that is refused for good fails its instance, and delays nobody else.

#include "scheduler/refused_duty.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/memory/memory_database.hpp"
#include "support/faulty_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kPoison = R"({"id": "poison", "name": "P", "steps": [
    {"id": "wait", "name": "W", "type": "WAIT", "nextStep": "end", "boundaryEvents": [
      {"type": "TIMER", "duration": "PT1S", "interrupting": true, "targetStepId": "bad"}]},
    {"id": "bad", "name": "refused", "type": "USER_TASK", "nextStep": "end"},
    {"id": "end", "name": "E", "type": "END"}]})";

constexpr std::string_view kSound = R"({"id": "sound", "name": "S", "steps": [
    {"id": "wait", "name": "W", "type": "WAIT", "nextStep": "end", "boundaryEvents": [
      {"type": "TIMER", "duration": "PT1S", "interrupting": true, "targetStepId": "end"}]},
    {"id": "end", "name": "E", "type": "END"}]})";

TEST(RefusedDutyTest, PoisonTimersFailTheirInstancesAndTheOthersFire) {
    MemoryDatabase database;
    FaultPlan plan{.is_poison = [](const Writes& writes) {
        return std::ranges::any_of(writes.user_tasks_new,
                                   [](const UserTask& task) { return task.name == "refused"; });
    }};
    FaultyDatabase picky(database, plan);
    FakeClock clock{kNoon};
    TestNode node(picky, clock);
    node.upload(kPoison);
    node.upload(kSound);
    std::vector<InstanceKey> poisoned;
    for (int n = 0; n < 5; ++n) poisoned.push_back(node.start("poison")->key);
    const InstanceKey sound = node.start("sound")->key;
    clock.advance(1s);
    node.settle();
    EXPECT_EQ(node.instance(sound).status, InstanceStatus::completed);
    for (const InstanceKey& key : poisoned) {
        const Instance instance = node.instance(key);
        EXPECT_EQ(instance.status, InstanceStatus::failed);
        EXPECT_NE(instance.failure_reason.value_or("").find("its timer cannot fire"),
                  std::string::npos);
    }
    EXPECT_EQ(node.reader().due_timers(clock.now(), 10)->size(), 0u);
}

// A duty as the source of a loop sees it, with an end that the test chooses.
TEST(RefusedDutyTest, OnlyWhatMayPassIsToldAsItIs) {
    MemoryDatabase database;
    FakeClock clock{kNoon};
    TestNode node(database, clock);
    node.upload(kSound);
    const InstanceKey key = node.start("sound")->key;
    int refusals = 0;
    const auto end = [&](const Status& status) {
        std::optional<Status> told;
        end_step_duty(
            node.queue(), key, 2, "its timer cannot fire", status,
            [&](const InstanceKey&, const Error&) { refusals += 1; },
            [&](const Status& outcome) { told = outcome; });
        node.commit();
        EXPECT_TRUE(told);
        return told.value_or(ok());
    };
    EXPECT_TRUE(end(ok()));
    EXPECT_FALSE(end(Error{ErrorCode::unavailable, "away"}));
    EXPECT_EQ(refusals, 0);
    EXPECT_EQ(node.instance(key).status, InstanceStatus::waiting);
    EXPECT_TRUE(end(Error{ErrorCode::data_refused, "no"})) << "the instance fails instead";
    EXPECT_EQ(refusals, 1);
    EXPECT_EQ(node.instance(key).status, InstanceStatus::failed);
}

}  // namespace
}  // namespace millrace
