#include "core/variables/exact_integers.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"

namespace millrace {
namespace {

struct EchoRow {
    std::string name{};
    std::string sent{};
    std::string reported{};  // As a client with doubles writes it.
    std::string expected{};
};

class ExactIntegersTest : public testing::TestWithParam<EchoRow> {};

TEST_P(ExactIntegersTest, TakesWhatWasSent) {
    const EchoRow& row = GetParam();
    const Result<json::Value> sent = json::parse(row.sent);
    const Result<json::Value> reported = json::parse(row.reported);
    ASSERT_TRUE(sent && reported);
    EXPECT_EQ(json::write(with_exact_integers(*reported, *sent)), row.expected);
}

INSTANTIATE_TEST_SUITE_P(
    Echoes, ExactIntegersTest,
    testing::Values(
        EchoRow{"AtTheSamePath", R"({"id":9007199254740993})", R"({"id":9007199254740992})",
                R"({"id":9007199254740993})"},
        EchoRow{"AtItsPathOfTwoThatRoundAlike", R"({"a":9007199254740993,"b":9007199254740992})",
                R"({"a":9007199254740992,"b":9007199254740992})",
                R"({"a":9007199254740993,"b":9007199254740992})"},
        EchoRow{"ElsewhereWhenThereIsOne", R"({"id":9007199254740993})",
                R"({"copy":9007199254740992})", R"({"copy":9007199254740993})"},
        EchoRow{"NotElsewhereWhenThereAreTwo", R"({"a":9007199254740993,"b":9007199254740992})",
                R"({"copy":9007199254740992})", R"({"copy":9007199254740992})"},
        EchoRow{"ElsewhereWhenTheSameStandsTwice",
                R"({"a":9007199254740993,"b":[9007199254740993]})", R"({"copy":9007199254740992})",
                R"({"copy":9007199254740993})"},
        EchoRow{"DeepInside", R"({"a":{"b":[1,{"c":-9223372036854775807}]}})",
                R"({"a":{"b":[1,{"c":-9223372036854775808}]}})",
                R"({"a":{"b":[1,{"c":-9223372036854775807}]}})"},
        EchoRow{"TheLargestBecomesADouble", R"({"id":9223372036854775807})",
                R"({"id":9223372036854775808})", R"({"id":9223372036854775807})"},
        EchoRow{"NothingBelow", R"({"id":9007199254740993})", R"({"id":9007199254740991})",
                R"({"id":9007199254740991})"},
        EchoRow{"NothingThatWasNotSent", R"({"id":9007199254740993})", R"({"id":9007199254740996})",
                R"({"id":9007199254740996})"},
        EchoRow{"NoDoubleThatWasSent", R"({"id":1e300})", R"({"id":1e300})", R"({"id":1e+300})"},
        EchoRow{"NotWhereTheDoubleItselfWasSent",
                R"({"a":9223372036854775808,"b":9223372036854775807})",
                R"({"a":9223372036854775808,"b":9223372036854775808})",
                R"({"a":9223372036854776000,"b":9223372036854775807})"},
        EchoRow{"NotElsewhereWhenTheDoubleItselfWasSentToo",
                R"({"a":9223372036854775808,"b":9223372036854775807})",
                R"({"copy":9223372036854775808})", R"({"copy":9223372036854776000})"},
        EchoRow{"AtItsPathAmongManyInAnyOrder",
                R"({"a":9007199254740993,"b":9007199254740992,"c":1,"d":2,"e":3,"f":4,"g":5})",
                R"({"h":8,"g":7,"f":6,"e":5,"d":4,"c":3,"x":2,"b":9007199254740992,)"
                R"("a":9007199254740992})",
                R"({"h":8,"g":7,"f":6,"e":5,"d":4,"c":3,"x":2,"b":9007199254740992,)"
                R"("a":9007199254740993})"},
        EchoRow{"OtherShapeAtThePath", R"({"id":[9007199254740993]})", R"({"id":9007199254740992})",
                R"({"id":9007199254740993})"}),
    [](const auto& row) { return row.param.name; });

// Each name looked for among all would be 60 billion looks.
TEST(ExactIntegersOfManyTest, FindsEachNameAmongManyOthers) {
    constexpr int kSent = 200'000;
    constexpr int kReported = 300'000;
    const auto many = [](int count, std::int64_t number) {
        json::Object members;
        for (int i = count; i > 0; --i)
            members.push_back({"k" + std::to_string(i), number + i % 2});
        return json::Value(std::move(members));
    };
    const json::Value sent = many(kSent, 9007199254740992);
    json::Value reported = many(kReported, 9007199254740992);
    for (json::Member& each : *reported.if_object()) each.value = 9007199254740992.0;
    const json::Value restored = with_exact_integers(std::move(reported), sent);
    int exact = 0;
    for (const json::Member& each : *restored.if_object()) {
        exact += each.value == json::Value(std::int64_t{9007199254740993}) ? 1 : 0;
    }
    EXPECT_EQ(exact, kSent / 2);
}

TEST(RoundedIntegerTest, IsSeenAnywhere) {
    const auto is_seen = [](std::string_view text) {
        const Result<json::Value> value = json::parse(text);
        return value && has_rounded_integer(*value);
    };
    EXPECT_TRUE(is_seen(R"({"a":[{"b":9007199254740992}]})"));
    EXPECT_TRUE(is_seen("-9007199254740992"));
    EXPECT_TRUE(is_seen("1e300"));
    EXPECT_FALSE(is_seen(R"({"a":[9007199254740991,0.5,"9007199254740992"]})"));
}

}  // namespace
}  // namespace millrace
