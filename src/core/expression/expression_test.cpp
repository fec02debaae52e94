#include "core/expression/expression.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(Expression, ComparesAVariable) {
    const auto expression = Expression::compile("#a >= 5 && ${b} < 3");
    ASSERT_TRUE(expression);
    const json::Value variables(json::Object{{"a", json::Value(5)}, {"b", json::Value(2)}});
    const auto result = expression->decide(variables, Instant{});
    ASSERT_TRUE(result);
    EXPECT_TRUE(*result);
}

}  // namespace
}  // namespace millrace
