#include "engine/instance_events.hpp"

#include <gtest/gtest.h>

#include "support/instances.hpp"

namespace millrace {
namespace {

StepExecution closed_at(std::uint32_t sequence, Duration after) {
    StepExecution step = closed_step(1, sequence);
    step.ended_at = kNoon + after;
    return step;
}

Instance with_open(std::vector<std::uint32_t> sequences) {
    Instance instance = waiting_instance(1);
    instance.state.open_steps.clear();
    for (const std::uint32_t sequence : sequences) {
        instance.state.open_steps.push_back({.sequence = sequence, .step_id = "s"});
    }
    return instance;
}

// "3 closed, 5 entered"
std::string told(const std::vector<StepEvent>& events) {
    std::string text;
    for (const StepEvent& event : events) {
        text += (text.empty() ? "" : ", ") + std::to_string(event.step.key.id.value.sequence()) +
                (event.step.ended_at ? " closed" : " entered");
    }
    return text;
}

TEST(InstanceEvents, TellAllFromTheBeginning) {
    const InstanceHistory history{with_open({4, 6}), {closed_at(1, 1s), closed_at(3, 1s)}};
    EXPECT_EQ(told(events_since(history, {})), "1 closed, 3 closed, 4 entered, 6 entered");
}

TEST(InstanceEvents, TellOnlyWhatIsNew) {
    const InstanceHistory before{with_open({3, 4}), {closed_at(1, 1s)}};
    const EventPlace place = events_since(before, {}).back().place;
    EXPECT_EQ(told(events_since(before, place)), "");

    // 4 closes before 3, and 6 is entered.
    const InstanceHistory after{with_open({3, 6}), {closed_at(1, 1s), closed_at(4, 2s)}};
    EXPECT_EQ(told(events_since(after, place)), "4 closed, 6 entered");
    const EventPlace later = events_since(after, place).back().place;
    EXPECT_GT(later.number(), place.number());
    const InstanceHistory end{
        with_open({}),
        {closed_at(1, 1s), closed_at(3, 3s), closed_at(4, 2s), closed_at(6, 3s), closed_at(7, 3s)}};
    EXPECT_EQ(told(events_since(end, later)), "3 closed, 6 closed, 7 closed");
}

TEST(InstanceEvents, GoOnAfterAnyOfThem) {
    const InstanceHistory history{with_open({2, 5, 7}),
                                  {closed_at(1, 1s), closed_at(4, 1s), closed_at(3, 2s)}};
    const std::vector<StepEvent> all = events_since(history, {});
    for (std::size_t i = 0; i < all.size(); ++i) {
        const EventPlace place = EventPlace::from_number(all[i].place.number());
        const std::vector<StepEvent> rest = events_since(history, place);
        ASSERT_EQ(rest.size(), all.size() - i - 1);
        for (std::size_t j = 0; j < rest.size(); ++j) EXPECT_EQ(rest[j].step, all[i + 1 + j].step);
    }
}

}  // namespace
}  // namespace millrace
