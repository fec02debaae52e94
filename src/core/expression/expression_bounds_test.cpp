#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "core/limits.hpp"
#include "support/expressions.hpp"

namespace millrace {
namespace {

std::string repeated(std::string_view text, std::size_t count) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += text;
    return result;
}

TEST(ExpressionBounds, HasBounds) {
    const std::vector<ExampleRow> rows{
        {"1..1000000000", "error"},
        {"-9223372036854775807..9223372036854775807", "error"},
        {"repeat('x', 1000000000)", "error"},
        {"repeat(repeat('x', 4000000), 4000000)", "error"},
        {"map(1..1000, repeat('x', 100000))", "error"},
        {"reduce(1..90000, #acc + 'xxxxxxxx', '')", "error"},
        {"reduce(1..200, [#acc], 1)", "error"},
        {"map(1..1000, map(1..1000, #))", "error"},
        {"map(1..20, repeat('x', 1000)) | map(map(1..300, #)) | len()", "20"},
        {"len(uniq(map(1..3000, [9007199254740992 + # % 2, 1e30 * #])))", "3000"},
        {"uniq(map(1..3000, [1152921504606846976 + # % 256, 1e30]))", "error"},
        {"a in 1..1000000000000", "true"},
        {"map(1..9000, # in -9223372036854775808..9223372036854775807) | len()", "9000"},
        {"repeat('a', 100000) matches '(a{1,100})*b'", "error"},
        {"replace(repeat('a', 2000), 'a', repeat('b', 3000))", "error"},
        {"split(repeat('a', 200000), '')", "error"},
        {"reduce(1..64, [#acc, #acc], 1)", "error"},
        {"reduce(1..40, [#acc, #acc], 1)", "error"},
        {"string(reduce(1..40, [#acc, #acc], 1))", "error"},
        {"reduce(1..40, [#acc, #acc], 1) == reduce(1..40, [#acc, #acc], 1)", "error"},
        {"flatten(reduce(1..40, [#acc, #acc], 1))", "error"},
        {"max(reduce(1..40, [#acc, #acc], 1))", "error"},
        {repeated("a + ", 4000) + "a", "20005"},
        {repeated("t && ", 3000) + "t", "true"},
        {"o" + repeated(".y", 2), "null"},
        {"o" + repeated("?.q", 5000), "null"},
        {repeated("(", 60) + "1" + repeated(")", 60), "1"},
        {repeated("(", 100) + "1" + repeated(")", 100), "bad"},
        {repeated("(", 16000), "bad"},
        {repeated("!", 16000) + "t", "bad"},
        {repeated("-", 16000) + "1", "bad"},
        {repeated("[", 16000), "bad"},
        {repeated("{a:", 5000), "bad"},
        {repeated("a?", 8000), "bad"},
        {repeated("if t {", 2000), "bad"},
        {repeated("2**", 5000) + "2", "bad"},
        {repeated("map(", 4000), "bad"},
        {"a" + repeated("[a", 8000), "bad"},
        {"s" + repeated("|trim()", 2000), "bad"},
        {repeated("a;", 8000), "5"},
        {repeated("a??", 5000) + "a", "5"},
        {"'" + std::string(limits::kExpressionBytesMax, 'x') + "'", "bad"},
        {std::string(16000, '9'), "bad"},
        {"1e" + std::string(16000, '9'), "bad"},
        {"s matches '" + repeated("(", 5000) + "'", "bad"},
        {"s matches '" + repeated("(a{1000}){1000}", 2) + "'", "bad"},
        {"s matches '((((){1000}){1000}){1000}){1000}'", "bad"},
    };
    expect_rows(rows);
}

std::string outcome_with(const json::Value& x, const std::string& text) {
    const json::Value variables(json::Object{{"x", x}});
    const auto result = Expression::compile(text)->evaluate(variables, kExampleNow);
    return result ? "value" : "error";
}

// A result becomes a member of the variables, and they must be readable again.
TEST(ExpressionBounds, RefusesResultsThatAreNestedTooDeep) {
    json::Value deep;
    for (std::size_t i = 0; i < limits::kJsonDepthMax - 2; ++i) deep = json::Array{deep};
    EXPECT_EQ(outcome_with(deep, "x"), "value");
    EXPECT_EQ(outcome_with(deep, "[x]"), "value");
    EXPECT_EQ(outcome_with(deep, "[[x]]"), "error");
    EXPECT_EQ(outcome_with(deep, "{a: {b: x}}"), "error");
}

TEST(ExpressionBounds, CountsWorkOnLargeVariables) {
    json::Object members;
    for (int i = 0; i < 50'000; ++i) members.push_back({"k" + std::to_string(i), json::Value(i)});
    const json::Value large(std::move(members));
    EXPECT_EQ(outcome_with(large, "x.k9 + x['k49999']"), "value");
    EXPECT_EQ(outcome_with(large, "x"), "value");
    EXPECT_EQ(outcome_with(large, "map(1..100, x.missing)"), "error");
    EXPECT_EQ(outcome_with(large, "map(1..100, 'missing' in x)"), "error");
    const json::Value text(std::string(3'000'000, 'a'));
    EXPECT_EQ(outcome_with(text, "x contains 'b'"), "value");
    EXPECT_EQ(outcome_with(text, "map(1..100, x contains 'b')"), "error");
    EXPECT_EQ(outcome_with(text, "x + x"), "error");
    EXPECT_EQ(outcome_with(text, "x matches 'b'"), "error");
}

RC_GTEST_PROP(ExpressionBounds, NeverCrashesOnRandomTokens, ()) {
    static const std::vector<std::string> kTokens{
        "a",     "b",       "s",       "n",     "arr",     "o",       "missing", "1",
        "2.5",   "'x'",     "true",    "nil",   "#",       "#a",      "#acc",    "${",
        "}",     "{",       "(",       ")",     "[",       "]",       ",",       ";",
        ":",     "?",       "?.",      ".",     "..",      "|",       "||",      "&&",
        "==",    "<",       "+",       "-",     "*",       "/",       "%",       "**",
        "??",    "!",       "not",     "in",    "matches", "if",      "else",    "let",
        "map(",  "filter(", "reduce(", "len(",  "sort(",   "repeat(", "split(",  "fromJSON(",
        "now()", ".Year()", "x: ",     "'[a-'", "date(",   "$env",    "sortBy(", "0x",
        "'",     "\"",      "`",       "//",    "/*",      "\\",      "é",       "contains("};
    const auto picks = *rc::gen::container<std::vector<std::size_t>>(
        rc::gen::inRange<std::size_t>(0, kTokens.size()));
    std::string text;
    for (const std::size_t pick : picks) text += kTokens[pick] + " ";
    const auto expression = Expression::compile(text);
    if (!expression) {
        RC_ASSERT(expression.error().code == ErrorCode::invalid_argument);
        RC_ASSERT(!expression.error().detail.empty());
        return;
    }
    const auto result = expression->evaluate(kExampleVariables, kExampleNow);
    if (!result) RC_ASSERT(!result.error().detail.empty());
}

RC_GTEST_PROP(ExpressionBounds, NeverCrashesOnRandomBytes, (const std::string& text)) {
    const auto expression = Expression::compile(text);
    if (!expression) RC_ASSERT(!expression.error().detail.empty());
    const auto result =
        expression ? expression->evaluate(kExampleVariables, kExampleNow) : json::Value();
    if (!result) RC_ASSERT(!result.error().detail.empty());
}

}  // namespace
}  // namespace millrace
