#include "core/variables/variables.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/limits.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

json::Value zeros(std::string_view name, std::size_t count) {
    return json::Object{{std::string(name), json::Array(count, json::Value(0))}};
}

json::Value nested(std::size_t depth) {
    json::Value value = json::Object{};
    for (std::size_t i = 1; i < depth; ++i) value = json::Object{{"a", std::move(value)}};
    return value;
}

TEST(Variables, TakeWhatTheParserReadsBackAndNoMore) {
    struct Row {
        const char* what;
        json::Value object;
        bool is_taken;
    };
    const std::size_t room = limits::kVariablesBytesMax - std::string_view(R"({"a":""})").size();
    for (const Row& row : {
             Row{"no member", json::Object{}, true},
             // The object and its array count, too.
             Row{"most values", zeros("a", limits::kJsonValuesMax - 2), true},
             Row{"too many values", zeros("a", limits::kJsonValuesMax - 1), false},
             Row{"deepest", nested(limits::kJsonDepthMax), true},
             Row{"too deep", nested(limits::kJsonDepthMax + 1), false},
             Row{"most bytes", json::Object{{"a", std::string(room, 'x')}}, true},
             Row{"too many bytes", json::Object{{"a", std::string(room + 1, 'x')}}, false},
         }) {
        const Result<Variables> variables = Variables::from_value(row.object);
        ASSERT_EQ(bool(variables), row.is_taken) << row.what;
        if (!variables) {
            EXPECT_EQ(variables.error().code, ErrorCode::too_large) << row.what;
            continue;
        }
        const Result<json::Value> read = Variables::from_text(variables->text()).value();
        ASSERT_TRUE(read) << row.what << ": " << read.error().detail;
        EXPECT_TRUE(*read == row.object) << row.what;
    }
}

TEST(Variables, RefuseWhatHasNoForm) {
    for (const json::Value& value :
         {json::Value(json::Array{}), json::Value(7), json::Value(),
          json::Value(json::Object{{"a", std::numeric_limits<double>::infinity()}})}) {
        const Result<Variables> variables = Variables::from_value(value);
        ASSERT_FALSE(variables);
        EXPECT_EQ(variables.error().code, ErrorCode::invalid_argument);
    }
}

TEST(Variables, RefuseAMergeThatWouldBeTooLarge) {
    const Result<Variables> half = Variables::from_value(zeros("a", 700'000));
    ASSERT_TRUE(half);
    const Result<Variables> merged = half->merged(zeros("b", 700'000));
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().code, ErrorCode::too_large);
    EXPECT_TRUE(half->merged(zeros("a", 700'000)));  // It replaces.
}

TEST(Variables, SayWhenTheStoredOnesCannotBeRead) {
    struct Row {
        std::string text;
        bool is_read;
    };
    std::string too_many = R"({"a":[0)";
    for (std::size_t i = 0; i < limits::kJsonValuesMax; ++i) too_many += ",0";
    for (const Row& row : {
             Row{"{}", true},
             Row{R"({"a":[0,0]})", true},
             Row{R"({"a":1,"a":2})", false},
             Row{R"({"a":1e999})", false},
             Row{R"({"a":"\ud800"})", false},
             Row{std::string(200, '[') + std::string(200, ']'), false},
             Row{too_many + "]}", false},
             Row{"[]", false},
             Row{"", false},
         }) {
        const Variables variables = Variables::from_text(row.text);
        EXPECT_EQ(bool(variables.check()), row.is_read) << row.text.substr(0, 40);
        EXPECT_EQ(bool(variables.value()), row.is_read) << row.text.substr(0, 40);
        const Result<Variables> merged = variables.merged(json_of(R"({"b":1})"));
        EXPECT_EQ(bool(merged), row.is_read) << row.text.substr(0, 40);
        if (merged) continue;
        EXPECT_EQ(merged.error().code, ErrorCode::internal);
    }
}

}  // namespace
}  // namespace millrace
