#include "base/json/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace millrace::json {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

struct Accepted {
    std::string_view text;
    Value expected;
};

TEST(JsonParse, ReadsEveryKindOfValue) {
    const Accepted cases[] = {
        {"null", nullptr},
        {"true", true},
        {"false", false},
        {"0", 0},
        {" \t\r\n7 \n", 7},
        {"-1", -1},
        {R"("")", ""},
        {R"("eight by eight bytes, then \"some\"")", "eight by eight bytes, then \"some\""},
        {"[]", Array{}},
        {"[ ]", Array{}},
        {"[1,[2],\"3\"]", Array{1, Array{2}, "3"}},
        {"{}", Object{}},
        {"{ }", Object{}},
        {R"({"b":1,"a":{"c":null}})", Object{{"b", 1}, {"a", Object{{"c", nullptr}}}}},
        {R"({"":1," ":2})", Object{{"", 1}, {" ", 2}}},
        {R"({"a":1,"A":2})", Object{{"a", 1}, {"A", 2}}},
    };
    for (const Accepted& row : cases) {
        const Result<Value> value = parse(row.text);
        ASSERT_TRUE(value) << row.text << ": " << value.error().detail;
        EXPECT_EQ(*value, row.expected) << row.text;
    }
}

TEST(JsonParse, KeepsIntegersExactAndTurnsTheRestIntoDoubles) {
    const Accepted cases[] = {
        {"9007199254740993", std::int64_t{9'007'199'254'740'993}},
        {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
        {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
        {"9223372036854775808", 9'223'372'036'854'775'808.0},
        {"-9223372036854775809", -9'223'372'036'854'775'808.0},
        {"123456789012345678901234567890", 123'456'789'012'345'678'901'234'567'890.0},
        {"1.0", 1.0},
        {"1e2", 100.0},
        {"1E+2", 100.0},
        {"12.5e-1", 1.25},
        {"-0.0", -0.0},
        {"0e10", 0.0},
        {"1e-400", 0.0},
        {"5e-324", 5e-324},
        {"1.7976931348623157e308", 1.7976931348623157e308},
    };
    for (const Accepted& row : cases) {
        const Result<Value> value = parse(row.text);
        ASSERT_TRUE(value) << row.text << ": " << value.error().detail;
        EXPECT_EQ(*value, row.expected) << row.text;
    }
}

TEST(JsonParse, KeepsTheSignOfMinusZero) {
    const Result<Value> value = parse("-0");
    ASSERT_TRUE(value && value->if_number());
    EXPECT_TRUE(std::signbit(*value->if_number()));
}

TEST(JsonParse, DecodesEscapes) {
    const Accepted cases[] = {
        {R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"},
        {R"("\u0041\u00e9\u20AC")", "A\u00e9\u20ac"},
        {R"("\ud83d\uDE00!")", "\U0001F600!"},
        {R"("\udbff\udfff")", "\U0010FFFF"},
        {R"("a\u0000b")", "a\0b"sv},
        {"\"\u2028 \x7F\"", "\u2028 \x7F"},
    };
    for (const Accepted& row : cases) {
        const Result<Value> value = parse(row.text);
        ASSERT_TRUE(value) << row.text << ": " << value.error().detail;
        EXPECT_EQ(*value, row.expected) << row.text;
    }
}

TEST(JsonParse, RefusesWhatIsNotJson) {
    const std::string_view cases[] = {
        "",
        " ",
        "\n\t",
        "\xEF\xBB\xBF{}",
        "\0"sv,
        "[\0]"sv,
        "[1]\0"sv,
        "\f1",
        "\u00a01",
        // Words.
        "nul",
        "nulll",
        "True",
        "NaN",
        "Infinity",
        "-Infinity",
        "undefined",
        "truefalse",
        "t",
        "n",
        // Numbers.
        "01",
        "-01",
        "00",
        "-",
        "+1",
        ".5",
        "1.",
        "1.e1",
        "1e",
        "1e+",
        "1E-",
        "0x10",
        "1_000",
        "--1",
        "- 1",
        "1 2",
        "1a",
        "1.2.3",
        "1e1.5",
        "-a",
        "\uff11",
        "1e400",
        "-1e400",
        "1e99999999999999999999",
        // Strings.
        "\"",
        "\"a",
        "'a'",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"\0\""sv,
        "\"\x1F\"",
        R"("\x")",
        R"("\)",
        R"("\u")",
        R"("\u12")",
        R"("\u12G4")",
        R"("\u 123")",
        R"("\a")",
        R"("\0")",
        R"("\U0041")",
        R"("\)"
        "\n\"",
        R"("a"b")",
        // Surrogates.
        R"("\ud83d")",
        R"("\ud83d!")",
        R"("\ud83d\n")",
        R"("\ud83d\u0041")",
        R"("\ude00")",
        R"("\ude00\ud83d")",
        R"("\ud83d\ud83d")",
        R"("\ud83d\u")",
        // Arrays.
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[,]",
        "[1,,2]",
        "[1 2]",
        "[1:2]",
        "[1}",
        "[1]]",
        "[[1]",
        "[\"a\"",
        // Objects.
        "{",
        "}",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,\"a\":1}",
        "{\"a\" 1}",
        "{\"a\",1}",
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "{null:1}",
        "{\"a\":1]",
        "{\"a\":1}}",
        "{\"a\":1} {}",
        "{\"a\":1 \"b\":2}",
        "{\"a\"::1}",
        "{\"a\":1,,\"b\":2}",
        "{\"a\":}",
        "{}x",
        "{} trailing",
        "{\"a\":1}//comment",
        "/* */ 1",
        "[1] # no",
    };
    for (const std::string_view text : cases) {
        const Result<Value> value = parse(text);
        ASSERT_FALSE(value) << text;
        EXPECT_EQ(value.error().code, ErrorCode::invalid_argument) << text;
    }
}

TEST(JsonParse, RefusesBadUtf8InStringsAndKeys) {
    const std::string_view cases[] = {
        "\x80",              // a continuation alone
        "\xC3",              // cut off
        "\xC3\x28",          // no continuation
        "\xE2\x82",          // cut off
        "\xC0\x80",          // overlong NUL
        "\xC1\xBF",          // overlong
        "\xE0\x80\x80",      // overlong
        "\xF0\x80\x80\x80",  // overlong
        "\xED\xA0\x80",      // a surrogate
        "\xF4\x90\x80\x80",  // above U+10FFFF
        "\xF5\x80\x80\x80",  // above U+10FFFF
        "\xFE",              // never in UTF-8
        "\xFF",              // never in UTF-8
    };
    for (const std::string_view bytes : cases) {
        for (const std::string padding : {"", "seven..", "more than sixteen bytes"}) {
            const std::string bad = '"' + padding + std::string(bytes) + padding + '"';
            EXPECT_FALSE(parse(bad)) << testing::PrintToString(bad);
            EXPECT_FALSE(parse("{" + bad + ":1}")) << testing::PrintToString(bad);
        }
    }
}

TEST(JsonParse, RefusesAKeyThatStandsTwice) {
    EXPECT_FALSE(parse(R"({"a":1,"a":1})"));
    EXPECT_FALSE(parse(R"([{"b":{"a":1,"b":2,"\u0061":3}}])"));
    EXPECT_TRUE(parse(R"({"a":{"a":1},"b":{"a":1}})"));

    for (const int count : {2, 24, 25, 1'000}) {
        std::string text = "{";
        for (int i = 0; i < count; ++i) text += "\"key" + std::to_string(i) + "\":0,";
        EXPECT_TRUE(parse(text + "\"last\":0}")) << count;
        EXPECT_FALSE(parse(text + "\"key1\":0}")) << count;
    }
}

std::string nested(std::size_t depth, const std::string& open, const std::string& close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    text += "1";
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
}

TEST(JsonParse, RefusesToNestTooDeeply) {
    EXPECT_TRUE(parse(nested(kDepthMax, "[", "]")));
    EXPECT_TRUE(parse(nested(kDepthMax, "{\"a\":", "}")));
    EXPECT_FALSE(parse(nested(kDepthMax + 1, "[", "]")));
    EXPECT_FALSE(parse(nested(kDepthMax + 1, "{\"a\":", "}")));
    EXPECT_FALSE(parse(std::string(1'000'000, '[')));
    EXPECT_NE(parse(nested(kDepthMax + 1, "[", "]")).error().detail.find("128 levels"),
              std::string::npos);
    EXPECT_TRUE(parse("[" + nested(kDepthMax - 1, "[", "]") + ",[1]]"));
}

TEST(JsonParse, RefusesMoreValuesThanItsLimit) {
    std::string text = "[0";
    for (std::size_t i = 2; i < kValuesMax; ++i) text += ",0";
    EXPECT_TRUE(parse(text + "]"));
    EXPECT_NE(parse(text + ",0]").error().detail.find("more than 1000000 values"),
              std::string::npos);
}

TEST(JsonParse, RefusesWhateverFollowsTheValue) {
    for (const std::string_view text : {R"({"a":1} trailing)"sv, R"({"a":1}})"sv, "{}{}"sv,
                                        "[]\xFF\xFE"sv, "1 2"sv, "\"a\"\"b\""sv, "true\0"sv}) {
        EXPECT_FALSE(parse(text)) << text;
    }
    EXPECT_TRUE(parse("{\"a\":1} \r\n\t"));
}

TEST(JsonParse, RefusesEveryBeginningOfADocument) {
    const std::string text = R"({"a":[1.5e3,true,null,"\u00e9\n\ud83d\ude00"],"b":{"c":-12}})";
    ASSERT_TRUE(parse(text));
    for (std::size_t bytes = 0; bytes < text.size(); ++bytes) {
        // Of its own allocation, so that AddressSanitizer sees a read beyond the end.
        const std::string beginning = text.substr(0, bytes);
        EXPECT_FALSE(parse(beginning)) << beginning;
    }
}

TEST(JsonParse, SaysWhereAndWhy) {
    EXPECT_EQ(parse(R"({"a":1,})").error().detail,
              "JSON at byte 7: expected a key in double quotes");
    EXPECT_EQ(parse(R"([1, 2}])").error().detail, "JSON at byte 5: expected ',' or ']'");
    EXPECT_EQ(parse(R"([{"a":1,"a":2}])").error().detail,
              "JSON at byte 1: the key \"a\" stands twice in one object");
}

}  // namespace
}  // namespace millrace::json
