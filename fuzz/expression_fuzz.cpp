// An expression ends within its bounds, gives the same each time, and what it gives is JSON.

#include "base/check.hpp"
#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/expression/expression.hpp"
#include "core/limits.hpp"
#include "fuzz_target.hpp"

namespace millrace {

namespace {

// Those of docs/reference/expressions.md.
constexpr std::string_view kVariables = R"({
    "a": 5, "b": 2, "f": 2.5, "s": "hello", "u": "h\u00e9llo", "t": true, "fl": false, "n": null,
    "arr": [1, 2, 3], "sa": ["USER", "ADMIN"], "e": [], "big": 600000000,
    "o": {"x": 1, "y": {"z": "deep"}, "list": [{"k": "v"}]},
    "users": [{"name": "Ann", "age": 34}, {"name": "Bob", "age": 17}, {"name": "Cid", "age": 52}],
    "id": 9007199254740993, "my": 20, "var": 3, "my-var": 9})";

const json::Value& variables() {
    static const json::Value kValue = *json::parse(kVariables);
    return kValue;
}

constexpr Instant kNow{std::chrono::seconds(1'772'368'245)};

}  // namespace

void fuzz(std::string_view input) {
    const Result<Expression> expression = Expression::compile(input);
    if (!expression) {
        MILLRACE_CHECK(expression.error().code == ErrorCode::invalid_argument);
        return;
    }
    MILLRACE_CHECK(expression->text() == input);
    const Result<json::Value> result = expression->evaluate(variables(), kNow);
    const Result<json::Value> again = expression->evaluate(variables(), kNow);
    const Result<bool> decision = expression->decide(variables(), kNow);
    if (!result) {
        MILLRACE_CHECK(!again && again.error().detail == result.error().detail);
        MILLRACE_CHECK(!decision);
        return;
    }
    MILLRACE_CHECK(again && *again == *result);
    const bool* truth = result->if_boolean();
    MILLRACE_CHECK(decision ? truth != nullptr && *truth == *decision : truth == nullptr);
    MILLRACE_CHECK(json::parse(json::write(*result)));
}

}  // namespace millrace
