#include "cli/readable_json.hpp"

#include <gtest/gtest.h>

#include "base/json/parse.hpp"

namespace millrace::cli {
namespace {

json::Value parsed(const char* text) {
    return *json::parse(text);
}

TEST(ReadableJson, ShowsComparisonsAsTheyWereWritten) {
    EXPECT_EQ(readable(parsed(R"({"if":"a < b && c > d"})")), R"({"if":"a < b && c > d"})");
    EXPECT_EQ(readable(parsed(R"({"literal":"\\u003c \\ \" \n"})")),
              R"({"literal":"\\u003c \\ \" \n"})");
}

TEST(ReadableJson, IsPrettyWithOneMemberPerLine) {
    EXPECT_EQ(pretty(parsed(R"({"a":[1,{"b":"<"}],"c":{},"d":[]})")),
              "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"<\"\n    }\n  ],\n  \"c\": {},\n"
              "  \"d\": []\n}\n");
}

TEST(CanonicalDefinition, SortsMembersWhereOrderMeansNothing) {
    const json::Value one = parsed(
        R"({"version":3,"name":"N","id":"d","steps":[{"type":"T","id":"s",
            "conditionalNextSteps":{"b":"x","a":"y"}}]})");
    const json::Value same = parsed(
        R"({"id":"d","steps":[{"id":"s","conditionalNextSteps":{"b":"x","a":"y"},"type":"T"}],
            "name":"N"})");
    const json::Value other = parsed(
        R"({"id":"d","steps":[{"id":"s","conditionalNextSteps":{"a":"y","b":"x"},"type":"T"}],
            "name":"N"})");
    EXPECT_EQ(canonical_definition(one), canonical_definition(same));
    EXPECT_NE(canonical_definition(one), canonical_definition(other));
}

}  // namespace
}  // namespace millrace::cli
