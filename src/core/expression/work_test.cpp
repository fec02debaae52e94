// Goal: whatever an expression does with many bytes is charged for them, so that the work of a
// command is bounded by its meter. Method: a table of operations on a large value, each with the
// least it may cost.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/limits.hpp"
#include "support/expressions.hpp"

namespace millrace {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;

json::Value many_members(int count) {
    json::Object members;
    for (int i = 0; i < count; ++i) members.push_back({"k" + std::to_string(i), json::Value(i)});
    return json::Value(std::move(members));
}

// A text of which every beginning looks like the pattern, another where none does, and large maps.
const json::Value& large_variables() {
    static const json::Value kVariables = [] {
        json::Value variables{json::Object{}};
        variables.set("a", std::string(kMegabyte, 'a'));
        variables.set("a2", std::string(kMegabyte, 'a'));
        variables.set("b", std::string(kMegabyte, 'b'));
        variables.set("spaces", std::string(kMegabyte / 10, ' '));
        variables.set("json", "[" + std::string(kMegabyte / 10, ' ') + "1]");
        variables.set("many", many_members(50'000));
        variables.set("code", std::string(kMegabyte, 'A'));
        return variables;
    }();
    return kVariables;
}

const std::string kLate = "'" + std::string(40, 'a') + "b'";

std::int64_t work_of(const std::string& text, const json::Value& variables) {
    const auto expression = Expression::compile(text);
    EXPECT_TRUE(expression) << text;
    WorkMeter meter(1'000'000'000);
    (void)expression->evaluate(expression::IndexedObject(variables), kExampleNow, meter);
    return meter.total();
}

struct Row {
    std::string expression;
    std::int64_t units_min;
};

const std::int64_t kBytes = kMegabyte;
const std::int64_t kByBlocks = kBytes / bytes_per_unit::kCopied;
const std::int64_t kByCharacters = kBytes / bytes_per_unit::kWalked;
const std::int64_t kByCounts = kBytes / bytes_per_unit::kCounted;

TEST(ExpressionWork, IsChargedForEveryByteThatIsTouched) {
    const std::vector<Row> rows{
        {"a contains " + kLate, kByCharacters},
        {"a contains 'x'", kByBlocks},
        {"indexOf(a, " + kLate + ")", kByCharacters},
        {"lastIndexOf(a, " + kLate + ")", kByCharacters},
        {"lastIndexOf(a, 'aa')", kByCharacters},
        {"split(a, " + kLate + ")", kByCharacters},
        {"replace(a, " + kLate + ", '')", kByCharacters},
        {"replace(a, 'x', '')", 2 * kByBlocks},
        {"upper(a)", kByCharacters},
        {"lower(a)", kByCharacters},
        {"trim(spaces)", kBytes / 10},
        {"trim(a, 'b')", kByBlocks},
        {"len(a)", kByCounts},
        {"a[999999]", kByCounts},
        {"len(a[1:])", kByCounts},
        {"a == a2", kByBlocks},
        {"a < a2", kByBlocks},
        {"a + 'x'", kByBlocks},
        {"repeat('x', 1000000)", kByBlocks},
        {"join([a, b])", 2 * kByBlocks},
        {"a startsWith 'a'", kByBlocks},
        {"toBase64(a)", kByCharacters},
        {"fromBase64(code)", kByCharacters},
        {"toJSON(a)", kBytes / static_cast<std::int64_t>(bytes_per_unit::kWritten)},
        {"fromJSON(json)", kBytes / 10 / static_cast<std::int64_t>(bytes_per_unit::kParsed)},
        {"a", kByBlocks},
        {"[a, b]", 2 * kByBlocks},
        {"many", 50'000},
        {"many.missing", 50'000 / 4},
        {"'missing' in many", 50'000 / 4},
        {"keys(many)", 50'000},
        {"many == many", 50'000},
        {"string(many)", 50'000},
    };
    for (const Row& row : rows) {
        const std::int64_t work = work_of(row.expression, large_variables());
        EXPECT_GE(work, row.units_min) << row.expression;
        EXPECT_EQ(work, work_of(row.expression, large_variables())) << row.expression;
    }
}

TEST(ExpressionWork, IsChargedForWhatARegularExpressionVisits) {
    json::Value variables{json::Object{}};
    variables.set("s", std::string(5'000, 'a'));
    EXPECT_GE(work_of("s matches 'b'", variables), 5'000);
    EXPECT_GE(work_of("s matches '(a|aa)*(a|aa)*(a|aa)*b'", variables), 5'000 * 6);
    EXPECT_GE(work_of("s matches ('[a-z]' + 'x')", variables), 5'000);
}

// A variable among sixty thousand is found without a walk, by each way to name it.
TEST(ExpressionWork, FindsOneOfManyVariablesWithoutAWalk) {
    const json::Value variables = many_members(60'000);
    const std::int64_t once = work_of("k1", variables);
    for (const std::string name :
         {"k59999", "$env.k59999", "$env['k59999']", "(k59999 ?? 1)", "defined(k59999)"}) {
        const std::int64_t work = work_of("count(1..1000, " + name + " == nil)", variables);
        EXPECT_LE(work, once + 20'000) << name;
    }
}

// One megabyte looked through twenty times, as somebody did to stop a server.
TEST(ExpressionWork, StopsSoonAfterTheMeterIsSpent) {
    const auto expression = Expression::compile("count(1..20, a contains " + kLate + ")");
    WorkMeter meter;
    const auto result =
        expression->evaluate(expression::IndexedObject(large_variables()), kExampleNow, meter);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().detail.find("WorkLimitReached"), std::string::npos);
    EXPECT_LE(meter.total(), limits::kCommandWorkMax + 10'000);
}

}  // namespace
}  // namespace millrace
