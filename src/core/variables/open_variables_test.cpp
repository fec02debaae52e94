#include "core/variables/open_variables.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/json/write.hpp"
#include "core/limits.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

std::string text_of(const OpenVariables& variables) {
    return json::write(variables.members().value());
}

TEST(OpenVariables, TakesTheChangesOfAStepBack) {
    OpenVariables variables(json_of(R"({"a":1,"b":[1,2]})"));
    WorkMeter meter;
    variables.begin_step();
    variables.set("b", json_of("3"), meter);
    variables.set("c", json_of("4"), meter);
    variables.set("c", json_of("5"), meter);
    EXPECT_EQ(text_of(variables), R"({"a":1,"b":3,"c":5})");
    EXPECT_TRUE(variables.has_changed());
    variables.roll_back();
    EXPECT_EQ(text_of(variables), R"({"a":1,"b":[1,2]})");
    EXPECT_FALSE(variables.has_changed());
    variables.begin_step();
    variables.set("c", json_of("6"), meter);
    EXPECT_EQ(text_of(variables), R"({"a":1,"b":[1,2],"c":6})");
}

TEST(OpenVariables, KnowsWhetherAStepHasChangedAnything) {
    OpenVariables variables(json_of(R"({"a":1})"));
    WorkMeter meter;
    variables.begin_step();
    variables.set("a", json_of("2"), meter);
    variables.set("a", json_of("1"), meter);
    EXPECT_FALSE(variables.has_changed());
    variables.set("b", json_of("null"), meter);
    EXPECT_TRUE(variables.has_changed());
}

TEST(OpenVariables, AreMeasuredAsTheyWouldBeWritten) {
    OpenVariables variables(json_of(R"({"a":1})"));
    WorkMeter meter(1'000'000'000);
    const std::string frame = R"({"a":1,"b":""})";
    variables.begin_step();
    variables.set("b", std::string(limits::kVariablesBytesMax - frame.size(), 'x'), meter);
    EXPECT_TRUE(variables.fits());
    EXPECT_EQ(text_of(variables).size(), limits::kVariablesBytesMax);
    variables.set("b", std::string(limits::kVariablesBytesMax - frame.size() + 1, 'x'), meter);
    const Status refused = variables.fits();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
    variables.set("b", "", meter);
    EXPECT_TRUE(variables.fits());
}

TEST(OpenVariables, HaveNoMoreValuesThanCanBeReadAgain) {
    OpenVariables variables(json_of("{}"));
    WorkMeter meter(1'000'000'000);
    const json::Value half(json::Array(600'000));
    variables.begin_step();
    variables.set("a", half, meter);
    EXPECT_TRUE(variables.fits());
    variables.set("b", half, meter);
    EXPECT_FALSE(variables.fits());
}

TEST(OpenVariables, CostWhatAChangeTouches) {
    json::Value large{json::Object{}};
    large.set("blob", std::string(1'000'000, 'x'));
    OpenVariables variables(std::move(large));
    WorkMeter meter;
    variables.begin_step();
    variables.set("a", json_of("1"), meter);
    const std::int64_t first = meter.spent();
    for (int i = 0; i < 1'000; ++i) variables.set("a", json_of("2"), meter);
    EXPECT_LE(first, 10);
    EXPECT_LE(meter.spent(), 10'000);
}

}  // namespace
}  // namespace millrace
