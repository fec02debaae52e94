#include "engine/complete_job.hpp"

#include <gtest/gtest.h>

#include "base/json/parse.hpp"
#include "support/instance_driver.hpp"
#include "support/instances.hpp"

namespace millrace {
namespace {

constexpr std::string_view kLarge = R"({"id":9007199254740993,"list":[0,0,0,0,0,0,0,0,0,0,0,0]})";

// What a report of these variables takes, and what becomes of them.
Effects effects_of_report(std::string_view variables, bool numbers_are_rounded) {
    Instance instance = waiting_instance(1, {.row_id = 1, .id = "order", .version = 1});
    instance.variables = Variables::from_text(std::string(kLarge));
    WorkingSet rows;
    const DefinitionPtr definition = definition_of(definition_record().content);
    const CompleteJob command{.job = job_key(1),
                              .proof = {.worker_id = kWorker},
                              .variables = *json::parse(variables),
                              .numbers_are_rounded = numbers_are_rounded};
    rows.add(footprint(command), {.instances = {instance},
                                  .jobs = {locked_job(1)},
                                  .instance_definitions = {{instance.definition, definition}}});
    Result<Decision<Job>> decision = decide(command, rows, kNoon + 1s);
    EXPECT_TRUE(decision && decision->missing.empty());
    return decision ? std::move(decision->effects) : Effects{};
}

TEST(CompleteJobTest, RestoringIntegersIsWorkOfTheCommand) {
    constexpr std::string_view kEchoed = R"({"id":9007199254740992})";
    const Effects plain = effects_of_report(kEchoed, false);
    const Effects restored = effects_of_report(kEchoed, true);
    ASSERT_FALSE(plain.instances.empty() || restored.instances.empty());
    EXPECT_EQ(plain.instances[0].variables.text().substr(0, 23), R"({"id":9007199254740992,)");
    EXPECT_EQ(restored.instances[0].variables.text(), kLarge);
    EXPECT_GE(restored.work, plain.work + 14) << "of so many values that were sent";
    EXPECT_EQ(effects_of_report(R"({"id":1})", true).work,
              effects_of_report(R"({"id":1})", false).work);
}

}  // namespace
}  // namespace millrace
