#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

namespace millrace {

namespace expression {
struct Node;
}

// A parsed expression: immutable, shared, and cheap to copy. docs/reference/expressions.md is its
// language.
class Expression {
public:
    // invalid_argument, with position and reason, when the text is no expression.
    static Result<Expression> compile(std::string_view text);

    const std::string& text() const { return *text_; }

    // About how much memory it takes, counted up.
    std::size_t memory_bytes() const;

    // Evaluates over the members of `variables` (an object). Any failure is invalid_argument: a
    // missing variable that is really needed, operands of the wrong type, division by zero, or a
    // bound of core/limits.hpp. The result has a JSON form: never NaN or infinity.
    Result<json::Value> evaluate(const json::Value& variables, Instant now) const;

    // The same, and the result must be a boolean.
    Result<bool> decide(const json::Value& variables, Instant now) const;

private:
    Expression(std::shared_ptr<const std::string> text,
               std::shared_ptr<const expression::Node> root);

    std::shared_ptr<const std::string> text_;
    std::shared_ptr<const expression::Node> root_;
};

}  // namespace millrace
