#include "base/json/write.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/json/parse.hpp"

namespace millrace::json {
namespace {

using namespace std::string_view_literals;

TEST(JsonWrite, WritesDoublesShortAndWithoutPointZero) {
    const std::pair<double, std::string_view> cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {100.0, "100"},
        {12345.678, "12345.678"},
        {9'007'199'254'740'992.0, "9007199254740992"},
        {1e15, "1000000000000000"},
        {1e20, "100000000000000000000"},
        {1.2345678901234567e20, "123456789012345670000"},
        {9.999999999999999e20, "999999999999999900000"},
        {1e21, "1e+21"},
        {-1.5e21, "-1.5e+21"},
        {1e100, "1e+100"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {1e-6, "0.000001"},
        {1.25e-6, "0.00000125"},
        {9.99e-7, "9.99e-7"},
        {1e-7, "1e-7"},
        {1.5e-10, "1.5e-10"},
        {5e-324, "5e-324"},
    };
    for (const auto& [number, expected] : cases) EXPECT_EQ(write(number), expected);
}

TEST(JsonWrite, WritesIntegersExactly) {
    EXPECT_EQ(write(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    EXPECT_EQ(write(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
    EXPECT_EQ(write(0), "0");
}

TEST(JsonWrite, EscapesWhatJsonHtmlAndScriptsNeed) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"", R"("")"},
        {"plain", R"("plain")"},
        {"\"\\/", R"("\"\\/")"},
        {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
        {"\0\x01\x1F\x7F"sv, "\"\\u0000\\u0001\\u001f\x7F\""},
        {"<a href=&>", "\"\\u003ca href=\\u0026\\u003e\""},
        {"\u2028\u2029\u202a", "\"\\u2028\\u2029\u202a\""},
        {"\u20ac \U0001F600", "\"\u20ac \U0001F600\""},
        {"\xE2", "\"\xE2\""},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(write(text), expected);
}

TEST(JsonWrite, WritesCompactlyInDocumentOrder) {
    const Value value = Object{
        {"b", Array{1, true, nullptr, Array{}, Object{}}},
        {"a<", Object{{"x", 0.5}}},
    };
    EXPECT_EQ(write(value), R"({"b":[1,true,null,[],{}],"a\u003c":{"x":0.5}})");
}

TEST(JsonWriteDeathTest, AbortsOnWhatHasNoJson) {
    EXPECT_DEATH(write(std::numeric_limits<double>::infinity()), "invariant broken");
    EXPECT_DEATH(write(std::nan("")), "invariant broken");
}

// A double that no integer of 64 bits equals: only these come back as doubles.
rc::Gen<Value> doubles() {
    return rc::gen::map(rc::gen::arbitrary<double>(), [](double number) {
        if (!std::isfinite(number)) return Value(0.5);
        const bool is_whole = std::trunc(number) == number && std::abs(number) < 1e19;
        return Value(is_whole ? 0.5 / (1 + std::abs(number)) : number);
    });
}

rc::Gen<std::string> texts() {
    return rc::gen::container<std::string>(
        rc::gen::oneOf(rc::gen::inRange<char>(0, 127), rc::gen::element('"', '\\', '<', '\n')));
}

rc::Gen<Value> values(int depth);

rc::Gen<Object> objects(int depth) {
    const auto pairs = rc::gen::container<std::map<std::string, Value>>(texts(), values(depth));
    return rc::gen::map(pairs, [](const std::map<std::string, Value>& members) {
        Object object;
        for (const auto& [key, value] : members) object.push_back({key, value});
        std::ranges::reverse(object);
        return object;
    });
}

rc::Gen<Value> values(int depth) {
    const auto integers = rc::gen::map(rc::gen::arbitrary<std::int64_t>(),
                                       [](std::int64_t number) { return Value(number); });
    const auto strings = rc::gen::map(texts(), [](const std::string& text) { return Value(text); });
    const auto leaves =
        rc::gen::oneOf(rc::gen::element<Value>(nullptr, true, false), integers, doubles(), strings);
    if (depth == 0) return leaves;
    const auto arrays = rc::gen::map(rc::gen::container<Array>(values(depth - 1)),
                                     [](const Array& array) { return Value(array); });
    const auto members =
        rc::gen::map(objects(depth - 1), [](const Object& object) { return Value(object); });
    return rc::gen::oneOf(leaves, arrays, members);
}

RC_GTEST_PROP(JsonWrite, IsReadBackTheSame, ()) {
    const Value value = *rc::gen::resize(12, values(2));
    const Result<Value> again = parse(write(value));
    RC_ASSERT(static_cast<bool>(again));
    RC_ASSERT(*again == value);
}

RC_GTEST_PROP(JsonWrite, GivesBackEveryDouble, (double number)) {
    RC_PRE(std::isfinite(number));
    const std::string text = write(number);
    const Result<Value> again = parse(text);
    RC_ASSERT(static_cast<bool>(again));
    RC_ASSERT(write(*again) == text);
    RC_ASSERT(std::strtod(text.c_str(), nullptr) == number);
}

RC_GTEST_PROP(JsonParse, NeverCrashesOnNoise, (const std::string& noise)) {
    const Result<Value> value = parse(noise);
    if (value) RC_ASSERT(*parse(write(*value)) == *value);
}

}  // namespace
}  // namespace millrace::json
