#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/expressions.hpp"

namespace millrace {
namespace {

TEST(ExpressionLanguage, BindsOperatorsByPrecedence) {
    expect_rows({
        {"1 + 2 * 3 - 4 / 2", "5"},
        {"2 * 3 ** 2", "18"},
        {"10 - 2 - 3", "5"},
        {"t || fl && fl", "true"},
        {"(t || fl) && fl", "false"},
        {"!fl && !fl", "true"},
        {"not (a > 3)", "false"},
        {"a not in arr and s not contains 'x'", "true"},
        {"1..2 + 1", "[1,2,3]"},
        {"1 + n ?? 5", "6"},
        {"n ?? 1 == 1", "bad"},
        {"t ? fl ? 1 : 2 : 3", "2"},
        {"fl ? 1 : fl ? 2 : 3", "3"},
        {"1 == 1 == true", "true"},
        {"3 > 2 > 1", "true"},
        {"1 < 3 < 2", "false"},
        {"3 < 2 < missing", "false"},
        {"- -2", "2"},
        {"!!t", "true"},
        {"a > 1 ? 'x' : 'y' | upper()", "\"x\""},
        {"(a > 1 ? 'x' : 'y') | upper()", "\"X\""},
        {"f ?.5 : 1", "error"},
        {"t ?.5 : 1", "0.5"},
        {"a not b", "bad"},
        {"a not + b", "bad"},
    });
}

TEST(ExpressionLanguage, FindsNumbersInRangesWithoutMakingThem) {
    expect_rows({
        {"a in 1..10", "true"},
        {"a in (1..10)", "true"},
        {"a in a..a", "true"},
        {"a in 6..1000000000000", "false"},
        {"a not in 1..4", "true"},
        {"a in 10..1", "false"},
        {"f in 1..3", "false"},
        {"2.0 in 1..3", "true"},
        {"'x' in 1..3", "false"},
        {"n in 1..3", "false"},
        {"[1] in 1..3", "false"},
        {"a in 1..'x'", "error"},
        {"a in 0.5..9", "error"},
        {"a in 1..missing", "error"},
        {"missing in 1..3", "error"},
        {"exact in 9007199254740993..9007199254740993", "true"},
        {"exact in 9007199254740994..9007199254740999", "false"},
        {"9007199254740992.0 in 9007199254740993..9007199254740993", "true"},
        {"9007199254740992.0 == 9007199254740993", "true"},
        {"1e19 in 1..9223372036854775807", "false"},
        {"1e999 in 1..2", "bad"},
        {"a in 1..10 == true", "true"},
        {"filter(1..9, # in b..a)", "[2,3,4,5]"},
    });
}

TEST(ExpressionLanguage, ReadsLiterals) {
    expect_rows({
        {"0xFF", "255"},
        {"0b101", "5"},
        {"0o17", "15"},
        {"1_0.5_0", "10.5"},
        {"1e-3", "0.001"},
        {"9223372036854775807", "9223372036854775807"},
        {"9223372036854775808", "bad"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"- 0x8000000000000000", "-9223372036854775808"},
        {"[-9223372036854775808, 1][0] + 1", "-9223372036854775807"},
        {"1 - -9223372036854775808 * 0", "1"},
        {"a > -9223372036854775808", "true"},
        {"1 - 9223372036854775808", "bad"},
        {"-(9223372036854775808)", "bad"},
        {"-9223372036854775808 ** 2", "bad"},
        {"-9223372036854775808.x", "bad"},
        {"- -9223372036854775808", "error"},
        {"-9223372036854775809", "bad"},
        {"18446744073709551616", "bad"},
        {"1e999", "bad"},
        {"0x", "bad"},
        {"0b2", "bad"},
        {"5x", "bad"},
        {"1e", "bad"},
        {"'a\\'b'", "\"a'b\""},
        {"'\\ud83d\\ude00'", "\"😀\""},
        {"'\\U0001F600'", "\"😀\""},
        {"'\\ud83d'", "bad"},
        {"'\\q'", "bad"},
        {"'\\x4'", "bad"},
        {"'open", "bad"},
        {"/* open", "bad"},
        {"a // comment", "5"},
        {"[1, 2,]", "[1,2]"},
        {"[,]", "bad"},
        {"{}", "{}"},
        {"{a: 1, a: 2}", "{\"a\":2}"},
        {"{1: 2, in: 3}", "{\"1\":2,\"in\":3}"},
        {"{(n): 1}", "error"},
        {"{a 1}", "bad"},
        {"{#a: 1}", "bad"},
        {"\xff", "bad"},
        {"a @ b", "bad"},
        {"a = b", "bad"},
    });
}

TEST(ExpressionLanguage, TakesNamesOfAnyScript) {
    const json::Value variables = *json::parse(
        R"({"grün": 1, "数量": 2, "имя": 3, "हिन्दी": 4, "größe_2": 5,
           "ﬁ": 6, "x٣": 7, "مرحبا": 8})");
    for (const auto& [text, expected] :
         std::vector<std::pair<std::string, std::int64_t>>{{"grün + 数量", 3},
                                                           {"имя", 3},
                                                           {"#हिन्दी", 4},
                                                           {"${größe_2}", 5},
                                                           {"$env.grün", 1},
                                                           {"ﬁ", 6},
                                                           {"x٣", 7},
                                                           {"مرحبا", 8},
                                                           {"{größe: 9}.größe", 9},
                                                           {"map([10], {é: #})[0].é", 10}}) {
        const auto expression = Expression::compile(text);
        ASSERT_TRUE(expression) << text << ": " << expression.error().detail;
        const auto result = expression->evaluate(variables, kExampleNow);
        ASSERT_TRUE(result) << text << ": " << result.error().detail;
        EXPECT_EQ(json::write(*result), std::to_string(expected)) << text;
    }
}

TEST(ExpressionLanguage, RefusesStrayCharactersWithTheirNamesAndPlaces) {
    const std::string quotes = " (strings stand in \" or ')";
    const std::string space = " (a space of another kind: write a plain one)";
    const std::string invisible = " (invisible: remove it)";
    const std::string others =
        " (outside strings there are letters, digits and the signs of the language)";
    for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string>>{
             {"s == “hello”", "U+201C" + quotes + " at character 6"},
             {"s == ‘hello’", "U+2018" + quotes + " at character 6"},
             {"s == „hello“", "U+201E" + quotes + " at character 6"},
             {"s == «hello»", "U+00AB" + quotes + " at character 6"},
             {"s == 'hello’", ""},
             {"a\u00a0> 3", "U+00A0" + space + " at character 2"},
             {"a >\u20093", "U+2009" + space + " at character 4"},
             {"a >\u30003", "U+3000" + space + " at character 4"},
             {"a\u200b > 3", "U+200B" + invisible + " at character 2"},
             {"\ufeff"
              "a > 3",
              "U+FEFF" + invisible + " at character 1"},
             {"a – 3", "U+2013 (the minus is -) at character 3"},
             {"a − 3", "U+2212 (the minus is -) at character 3"},
             {"a ≥ 3", "U+2265" + others + " at character 3"},
             {"#“", "U+201C" + quotes + " at character 2"},
             {"grün😀", "U+1F600" + others + " at character 5"},
             {"\u0301x", "U+0301 (names begin with a letter) at character 1"},
             {"٣", "U+0663 (names begin with a letter) at character 1"},
             {"a @ b", "\"@\" at character 3"},
             {"a \x01", "U+0001 at character 3"}}) {
        const auto expression = Expression::compile(text);
        ASSERT_FALSE(expression) << text;
        if (reason.empty()) continue;  // A string that does not end.
        EXPECT_EQ(expression.error().detail, "unexpected character " + reason) << text;
    }
    EXPECT_EQ(reason_of("a + \xff"), "a byte that is no UTF-8 at character 5");
    EXPECT_EQ(outcome_of("'“…”\u00a0' != s"), "true");
    EXPECT_EQ(outcome_of("a // “note”"), "5");
}

TEST(ExpressionLanguage, WalksIntoValues) {
    expect_rows({
        {"o.list[0].k", "\"v\""},
        {"o['y']['z']", "\"deep\""},
        {"arr[1.0]", "2"},
        {"arr[1.5]", "error"},
        {"arr['x']", "error"},
        {"arr[b]", "3"},
        {"arr[-4]", "error"},
        {"n.x", "error"},
        {"n?.x.y.z", "null"},
        {"(n?.x).y", "error"},
        {"n?.[0]", "null"},
        {"t.x", "error"},
        {"s.x", "error"},
        {"s[0]", "\"h\""},
        {"s[-1]", "\"o\""},
        {"s[9]", "error"},
        {"u[:2]", "\"hé\""},
        {"arr[2:1]", "[]"},
        {"arr[-2:]", "[2,3]"},
        {"arr[-9:9]", "[1,2,3]"},
        {"arr[:]", "[1,2,3]"},
        {"o[1:]", "error"},
        {"arr['a':]", "error"},
        {"a[0]", "error"},
        {"o.", "bad"},
        {"o.5", "bad"},
        {"o.in", "null"},
        {"$env.a", "5"},
        {"$env['nope']", "null"},
        {"{a: {b: 1}}.a.b", "1"},
        {"[1, 2][1]", "2"},
        {"groupBy(arr, # > 1)[true]", "[2,3]"},
        {"groupBy([1, 2], #)[2]", "[2]"},
    });
}

TEST(ExpressionLanguage, EvaluatesPredicatesPerElement) {
    expect_rows({
        {"map(arr, map(arr, #))", "[[1,2,3],[1,2,3],[1,2,3]]"},
        {"map(arr, sum(arr, #) + #)", "[7,8,9]"},
        {"map(arr, #index)", "[0,1,2]"},
        {"#index", "7"},
        {"map(arr, #acc)", "[8,8,8]"},
        {"filter(arr, # > #b)", "[3]"},
        {"filter(arr, #-1 > 0)", "[2,3]"},
        {"reduce(sa, #acc + '+' + #)", "\"USER+ADMIN\""},
        {"reduce(arr, {#acc + #; #acc}, 1)", "1"},
        {"reduce(e, #acc, 3)", "3"},
        {"reduce(e, #acc)", "error"},
        {"o.list | map(.k)", "[\"v\"]"},
        {"map(o.list, {.k})", "[\"v\"]"},
        {"map(e, missing)", "[]"},
        {"map(arr, missing)", "error"},
        {"map(n, #)", "error"},
        {"map(o, #)", "error"},
        {"any(arr, 1)", "error"},
        {"one(arr, # > 1)", "false"},
        {"none(arr, # > 1)", "false"},
        {"all(e, #)", "true"},
        {"any(e, #)", "false"},
        {"sum(e)", "0"},
        {"sum(sa)", "error"},
        {"count(arr)", "error"},
        {"find(arr, # > 9)", "null"},
        {"sortBy(arr, -#)", "[3,2,1]"},
        {"sortBy([1, 'a'], #)", "error"},
        {"sortBy(arr, #, 'up')", "error"},
        {"groupBy(arr, [#])", "error"},
        {"# > 1", "bad"},
        {".x", "bad"},
        {"filter(arr)", "bad"},
        {"filter(arr, #, 1)", "bad"},
        {"filter()", "bad"},
        {"filter(arr, # > 1", "bad"},
        {"map(arr, {# + 1", "bad"},
    });
}

TEST(ExpressionLanguage, RefusesArgumentsOfTheWrongKind) {
    expect_rows({
        {"upper(1)", "error"},
        {"trim(n)", "error"},
        {"split(s, 1)", "error"},
        {"join([1])", "error"},
        {"repeat('a', -1)", "error"},
        {"replace(s, '', 'x')", "error"},
        {"indexOf(arr, 1)", "error"},
        {"abs(s)", "error"},
        {"ceil(n)", "error"},
        {"max(s)", "error"},
        {"mean(['a'])", "error"},
        {"median(t)", "error"},
        {"int('x')", "error"},
        {"int(1e30)", "error"},
        {"int(arr)", "error"},
        {"float('inf')", "error"},
        {"float(t)", "error"},
        {"fromJSON('{')", "error"},
        {"fromBase64('a')", "error"},
        {"fromBase64('/w==')", "error"},
        {"keys(arr)", "error"},
        {"values(n)", "error"},
        {"toPairs(1)", "error"},
        {"fromPairs([[1]])", "error"},
        {"reverse(s)", "error"},
        {"uniq(o)", "error"},
        {"concat(arr, 1)", "error"},
        {"flatten(s)", "error"},
        {"sort([1, 'a'])", "error"},
        {"sort(arr, 1)", "error"},
        {"take(arr, -1)", "error"},
        {"first(s)", "error"},
        {"bitand(a, 1)", "error"},
        {"bitshl(1, -1)", "error"},
        {"duration('1 week')", "error"},
        {"timezone('Mars')", "error"},
        {"now(1)", "error"},
        {"date('2026-02-30')", "error"},
        {"a.Year()", "error"},
        {"now().Seconds()", "error"},
        {"now().In(1)", "error"},
        {"now() + 1", "error"},
        {"now() < 1", "error"},
        {"s matches a", "error"},
        {"s contains 1", "error"},
        {"'a'..'b'", "error"},
        {"-s", "error"},
        {"+s", "error"},
        {"1 * s", "error"},
        {"s / 2", "error"},
        {"s - s", "error"},
        {"n ** 2", "error"},
        {"nope()", "bad"},
        {"now().Nope()", "bad"},
        {"len()", "bad"},
        {"len(a, b)", "bad"},
        {"now().Year(1)", "bad"},
        {"a | b", "bad"},
        {"a | 5", "bad"},
        {"s matches '('", "bad"},
        {"s matches ('(' + '')", "error"},
        {"get(a, 'x')", "null"},
        {"first(n)", "null"},
        {"last(e)", "null"},
        {"max(e)", "null"},
        {"mean(e)", "0"},
    });
}

TEST(ExpressionLanguage, ComputesWithTimes) {
    expect_rows({
        {"now()", "\"2026-03-01T12:00:45Z\""},
        {"string(now())", "\"2026-03-01T12:00:45Z\""},
        {"date('2026-03-01T14:00:00.25+02:00')", "\"2026-03-01T14:00:00.25+02:00\""},
        {"date('2026-03-01T14:00:00+02:00') == date('2026-03-01 12:00:00')", "true"},
        {"duration('1h') + duration('30s')", "\"1h0m30s\""},
        {"2 * duration('1.5s') - duration('1ms')", "\"2.999s\""},
        {"duration('1h') / duration('1m')", "60"},
        {"-duration('1us')", "\"-1µs\""},
        {"duration('2562047h') * 2", "error"},
        {"date('9999-12-31')", "\"9999-12-31T00:00:00Z\""},
        {"date('9999-12-31') + duration('23h')", "\"9999-12-31T23:00:00Z\""},
        {"date('9999-12-31') + duration('24h')", "error"},
        {"date('9999-12-31T23:00:00Z').In(timezone('+02:00'))", "error"},
        {"date('9999-12-31T23:00:00Z').In(timezone('-02:00')).Hour()", "21"},
        {"date('0001-01-01') - duration('1us')", "error"},
        {"date('0001-01-01').Year()", "1"},
        {"date('0000-12-31')", "error"},
        {"sort([date('2026-01-02'), date('2026-01-01')])[0].Day()", "1"},
        {"type(now()) + type(duration('1s'))", "\"time.Timetime.Duration\""},
        {"timezone('UTC')", "\"UTC\""},
        {"duration('1h') / 0", "error"},
        {"sum([duration('1s'), duration('2s')])", "\"3s\""},
    });
}

}  // namespace
}  // namespace millrace
