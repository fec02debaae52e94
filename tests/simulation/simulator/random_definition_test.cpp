#include "simulator/random_definition.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/json/parse.hpp"
#include "core/definition/parse_definition.hpp"

namespace millrace::sim {
namespace {

DefinitionPtr definition_of(const std::string& text) {
    const auto document = json::parse(text);
    EXPECT_TRUE(document) << text;
    if (!document) return nullptr;
    const Result<DefinitionPtr> definition = parse_definition(*document);
    EXPECT_TRUE(definition) << definition.error().detail << "\n" << text;
    return definition ? *definition : nullptr;
}

TEST(RandomDefinition, IsValidWhateverTheSeed) {
    for (std::uint64_t seed = 0; seed < 2'000 && !testing::Test::HasFailure(); ++seed) {
        SimRandom random(seed);
        const DefinitionMix mix = DefinitionMix::random(random);
        const DefinitionPtr definition =
            definition_of(random_definition(random, mix, "d", random.chance(50) ? "next" : ""));
        ASSERT_TRUE(definition) << "seed " << seed;
        EXPECT_TRUE(definition->is_native());
    }
}

TEST(RandomDefinition, HasStepsOfEveryType) {
    std::set<StepType> types;
    bool has_interrupting = false;
    bool has_other = false;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SimRandom random(seed);
        const DefinitionPtr definition = definition_of(random_definition(random, {}, "d"));
        for (const Step& step : definition->steps) {
            types.insert(step.type);
            for (const BoundaryTimer& timer : step.boundary_timers) {
                (timer.interrupting ? has_interrupting : has_other) = true;
            }
        }
    }
    EXPECT_EQ(types.size(), kStepTypeCount);
    EXPECT_TRUE(has_interrupting);
    EXPECT_TRUE(has_other);
}

TEST(RandomDefinition, IsTheSameForTheSameSeed) {
    SimRandom one(7);
    SimRandom other(7);
    EXPECT_EQ(random_definition(one, {}, "d"), random_definition(other, {}, "d"));
}

TEST(RandomDefinition, MayRunElsewhere) {
    SimRandom random(1);
    const DefinitionPtr definition = definition_of(random_remote_definition(random, "r", "main"));
    ASSERT_TRUE(definition);
    EXPECT_FALSE(definition->is_native());
    EXPECT_EQ(definition->executor.target, "main");
}

}  // namespace
}  // namespace millrace::sim
