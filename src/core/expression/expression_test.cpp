#include "core/expression/expression.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "support/expressions.hpp"

namespace millrace {
namespace {

// The behaviour that existing definitions rely on.
TEST(Expression, BehavesAsExistingDefinitionsExpect) {
    expect_rows({
        {"a + b", "7"},
        {"1 + 2", "3"},
        {"a / b", "2.5"},
        {"6 / 3", "2"},
        {"7 % 2", "1"},
        {"a % b", "error"},
        {"int(a) % 2", "1"},
        {"2 ** 3", "8"},
        {"-2 ** 2", "-4"},
        {"2 ** 3 ** 2", "512"},
        {"a == 5", "true"},
        {"a == 5.0", "true"},
        {"a == '5'", "false"},
        {"s == 5", "false"},
        {"t == 'true'", "false"},
        {"t == 1", "false"},
        {"n == nil", "true"},
        {"n == null", "true"},
        {"n == 0", "false"},
        {"n + 1", "error"},
        {"s + ' world'", "\"hello world\""},
        {"s + 1", "error"},
        {"'a' < 'b'", "true"},
        {"s > 5", "error"},
        {"t && fl", "false"},
        {"t && n", "null"},
        {"n && t", "error"},
        {"fl && n", "false"},
        {"t and not fl", "true"},
        {"!n", "error"},
        {"!a", "error"},
        {"not a > 3", "error"},
        {"a == 5 || missing == 1", "true"},
        {"t ? a : b", "5"},
        {"a ? 1 : 2", "error"},
        {"'#tag'", "\"#tag\""},
        {"\"it's\" == \"it's\"", "true"},
        {"a in 1..10", "true"},
        {"map(o.list, #.k)", "[\"v\"]"},
        {"string(big)", "\"6e+08\""},
        {"big * 0.01", "6000000"},
        {"1 / 0", "error"},
        {"let z = 1; z", "bad"},
        {"", "bad"},
        {"#a >= 5", "true"},
        {"#a>=5&&#b<3", "true"},
        {"${a}", "5"},
        {"${a} + ${b}", "7"},
        {"${a > 3 && b < 3}", "true"},
        {"#o.y.z", "\"deep\""},
        {"o.missing", "null"},
        {"o.missing.deep", "error"},
        {"o?.missing?.deep", "null"},
        {"o[\"x\"]", "1"},
        {"arr[0]", "1"},
        {"arr[-1]", "3"},
        {"arr[5]", "error"},
        {"arr[1:]", "[2,3]"},
        {"1 in arr", "true"},
        {"'ADMIN' in sa", "true"},
        {"'x' in o", "true"},
        {"'ell' in s", "error"},
        {"1 in n", "false"},
        {"5 not in arr", "true"},
        {"contains(sa, 'ADMIN')", "true"},
        {"contains(s, 'ell')", "true"},
        {"contains(o, 'x')", "true"},
        {"contains(n, 'x')", "false"},
        {"contains(sa, upper(\"admin\"))", "true"},
        {"s contains 'ell'", "true"},
        {"s startsWith 'he'", "true"},
        {"s matches '^h.*o$'", "true"},
        {"len(arr)", "3"},
        {"len(u)", "5"},
        {"len(n)", "error"},
        {"len(missing)", "error"},
        {"n ?? 5", "5"},
        {"missing ?? 5", "5"},
        {"#my-var", "17"},
        {"'${a}'", "\"${a}\""},
        {"s == \"it's\"", "false"},
        {"filter(arr, # > 1)", "[2,3]"},
        {"sum(arr)", "6"},
        {"upper(s)", "\"HELLO\""},
        {"0.1 + 0.2", "0.30000000000000004"},
        {"7 % 0", "error"},
        {"a; b", "2"},
        {"a b", "bad"},
    });
}

TEST(Expression, KeepsIntegersAndFloatingPointApart) {
    const std::vector<std::pair<std::string, json::Kind>> rows{
        {"1 + 2", json::Kind::integer},     {"a + b", json::Kind::number},
        {"6 / 3", json::Kind::number},      {"2 ** 3", json::Kind::number},
        {"7 % 2", json::Kind::integer},     {"len(arr)", json::Kind::integer},
        {"int(a)", json::Kind::integer},    {"count(arr, # > 1)", json::Kind::integer},
        {"a * 1", json::Kind::number},      {"1 - 2.0", json::Kind::number},
        {"sum(arr)", json::Kind::number},   {"sum([1, 2])", json::Kind::integer},
        {"a", json::Kind::integer},         {"-3", json::Kind::integer},
        {"-a", json::Kind::number},         {"round(2)", json::Kind::number},
        {"max(1, 2)", json::Kind::integer}, {"abs(-2)", json::Kind::integer},
    };
    for (const auto& [text, kind] : rows) {
        const auto result = Expression::compile(text)->evaluate(kExampleVariables, kExampleNow);
        ASSERT_TRUE(result) << text;
        EXPECT_EQ(result->kind(), kind) << text;
    }
}

TEST(Expression, PassesIntegersThroughExactly) {
    expect_rows({
        {"${exact}", "9007199254740993"},
        {"[exact, {k: exact}]", "[9007199254740993,{\"k\":9007199254740993}]"},
        {"int(exact) + 1", "9007199254740994"},
        {"exact == 9007199254740993", "true"},
        {"exact == 9007199254740992", "false"},
        {"exact > 9007199254740992", "true"},
    });
}

TEST(Expression, NeedsAMissingVariableOnlyWhereItIsReached) {
    expect_rows({
        {"missing", "error"},
        {"fl && missing", "false"},
        {"t || missing", "true"},
        {"t && missing", "error"},
        {"t ? 1 : missing", "1"},
        {"fl ? 1 : missing", "error"},
        {"if t { 1 } else { missing }", "1"},
        {"missing ?? other ?? 5", "5"},
        {"(missing ?? other) ?? 5", "5"},
        {"missing ?? other", "error"},
        {"missing.a[0]?.b ?? 5", "5"},
        {"${missing} ?? 5", "5"},
        {"#missing ?? 5", "5"},
        {"len(missing) ?? 5", "error"},
        {"o.missing.x ?? 5", "error"},
        {"defined(#missing)", "false"},
        {"defined(${n})", "true"},
        {"defined(missing.a)", "false"},
        {"defined(null_map.k)", "true"},
        {"defined(null_map.k.deeper)", "false"},
        {"defined(arr[2]) && !defined(arr[3]) && defined(arr[-3])", "true"},
        {"defined(o['x']) && !defined(a.b)", "true"},
        {"missing | defined()", "false"},
        {"defined(1)", "bad"},
        {"defined(a, b)", "bad"},
    });
    EXPECT_NE(reason_of("t && missing").find("\"missing\""), std::string::npos);
}

TEST(Expression, DecidesOnBooleansOnly) {
    const auto decided = Expression::compile("a > 3")->decide(kExampleVariables, kExampleNow);
    ASSERT_TRUE(decided);
    EXPECT_TRUE(*decided);
    for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string>>{
             {"a", "result is float, not bool"},
             {"n", "result is nil, not bool"},
             {"'x'", "result is string, not bool"},
             {"len(arr)", "result is int, not bool"}}) {
        const auto result = Expression::compile(text)->decide(kExampleVariables, kExampleNow);
        ASSERT_FALSE(result) << text;
        EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(result.error().detail, reason);
    }
}

TEST(Expression, SaysWhereATextIsNoExpression) {
    EXPECT_EQ(reason_of("'é' + )"), "unexpected \")\" at character 7");
    EXPECT_EQ(reason_of("a +"), "unexpected end at character 4");
    EXPECT_EQ(Expression::compile("a +").error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(Expression::compile("a + b")->text(), "a + b");
}

TEST(Expression, FailsInsteadOfLeavingTheNumbers) {
    expect_rows({
        {"1e308 * 10", "error"},
        {"-1e308 - 1e308", "error"},
        {"(-8) ** 0.5", "error"},
        {"0 ** -1", "error"},
        {"5 / 0.0", "error"},
        {"9223372036854775807 + 1", "error"},
        {"-9223372036854775807 - 2", "error"},
        {"9223372036854775807 * 2", "error"},
        {"-(-9223372036854775807 - 1)", "error"},
        {"abs(-9223372036854775807 - 1)", "error"},
        {"(-9223372036854775807 - 1) % -1", "0"},
        {"sum([9223372036854775807, 1])", "error"},
        {"mean([1e308, 1e308])", "error"},
    });
}

RC_GTEST_PROP(Expression, ComputesIntegersAsTheMachineDoes, (std::int32_t x, std::int32_t y)) {
    const auto sum = Expression::compile("int(x) + int(y) * 2 - int(x)");
    const json::Value variables(json::Object{{"x", json::Value(x)}, {"y", json::Value(y)}});
    const auto result = sum->evaluate(variables, kExampleNow);
    RC_ASSERT(bool(result));
    RC_ASSERT(*result == json::Value(std::int64_t{y} * 2));
}

}  // namespace
}  // namespace millrace
