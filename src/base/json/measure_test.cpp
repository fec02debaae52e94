#include "base/json/measure.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/json/parse.hpp"

namespace millrace::json {
namespace {

TEST(JsonMeasure, CountsAsTheParserDoes) {
    struct Row {
        const char* text;
        Measure expected;
    };
    for (const Row& row : {
             Row{"null", {1, 0}},
             Row{"\"a\"", {1, 0}},
             Row{"[]", {1, 1}},
             Row{"{}", {1, 1}},
             Row{R"({"a":1,"b":[2,3]})", {5, 2}},
             Row{R"([[],[{"a":[0]}],1.5])", {7, 4}},
         }) {
        const Result<Value> value = parse(row.text);
        ASSERT_TRUE(value) << row.text;
        EXPECT_EQ(measure(*value), row.expected) << row.text;
    }
}

TEST(JsonMeasure, AgreesWithTheLimitsOfTheParser) {
    const std::string deepest = std::string(kDepthMax, '[') + std::string(kDepthMax, ']');
    EXPECT_EQ(measure(*parse(deepest)).depth, kDepthMax);
    std::string most = "[0";
    for (std::size_t i = 2; i < kValuesMax; ++i) most += ",0";
    EXPECT_EQ(measure(*parse(most + "]")).values, kValuesMax);
}

TEST(JsonMeasure, FindsNumbersWithoutAForm) {
    EXPECT_FALSE(measure(Array{1.5, std::numeric_limits<double>::infinity()}).is_finite);
    EXPECT_FALSE(measure(Object{{"a", std::numeric_limits<double>::quiet_NaN()}}).is_finite);
}

}  // namespace
}  // namespace millrace::json
