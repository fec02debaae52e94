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

}  // namespace
}  // namespace millrace::cli
