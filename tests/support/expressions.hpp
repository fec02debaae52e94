#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "core/expression/expression.hpp"

namespace millrace {

using namespace std::chrono_literals;

inline constexpr Instant kExampleNow =
    std::chrono::sys_days(std::chrono::year(2026) / 3 / 1) + 12h + 45s + 999ms;

inline const json::Value kExampleVariables = *json::parse(R"({
    "a": 5, "b": 2, "f": 2.5, "s": "hello", "t": true, "fl": false, "n": null, "arr": [1, 2, 3],
    "sa": ["USER", "ADMIN"], "o": {"x": 1, "y": {"z": "deep"}, "list": [{"k": "v"}]}, "e": [],
    "big": 600000000, "u": "héllo", "my": 20, "var": 3, "my-var": 9, "exact": 9007199254740993,
    "deep": [[[[1]]]], "null_map": {"k": null}, "index": 7, "acc": 8
})");

// "bad" for what does not compile, "error" for what fails.
inline std::string outcome_of(const std::string& text) {
    const auto expression = Expression::compile(text);
    if (!expression) return "bad";
    const auto result = expression->evaluate(kExampleVariables, kExampleNow);
    return result ? json::write(*result) : "error";
}

inline std::string reason_of(const std::string& text) {
    const auto expression = Expression::compile(text);
    if (!expression) return expression.error().detail;
    const auto result = expression->evaluate(kExampleVariables, kExampleNow);
    return result ? "no failure" : result.error().detail;
}

struct ExampleRow {
    std::string expression;
    std::string expected;
};

inline void expect_rows(const std::vector<ExampleRow>& rows) {
    for (const ExampleRow& row : rows) {
        EXPECT_EQ(outcome_of(row.expression), row.expected) << row.expression;
    }
}

}  // namespace millrace
