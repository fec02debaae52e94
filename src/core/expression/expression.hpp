#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "core/expression/indexed_object.hpp"
#include "core/work_meter.hpp"

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

    // How many bytes of memory it holds.
    std::size_t bytes() const;

    // Evaluates over the members of `variables`. Any failure is invalid_argument: a missing
    // variable that is really needed, operands of the wrong type, division by zero, or a bound of
    // core/limits.hpp. The result has a JSON form: never NaN or infinity. `meter` is that of the
    // command; what the evaluation takes is spent there, also when it fails.
    Result<json::Value> evaluate(const expression::IndexedObject& variables, Instant now,
                                 WorkMeter& meter) const;

    // The same, and the result must be a boolean.
    Result<bool> decide(const expression::IndexedObject& variables, Instant now,
                        WorkMeter& meter) const;

    // The same for one expression alone, with the work of a whole command. `variables` is an
    // object.
    Result<json::Value> evaluate(const json::Value& variables, Instant now) const;
    Result<bool> decide(const json::Value& variables, Instant now) const;

private:
    Expression(std::shared_ptr<const std::string> text,
               std::shared_ptr<const expression::Node> root);

    std::shared_ptr<const std::string> text_;
    std::shared_ptr<const expression::Node> root_;
};

}  // namespace millrace
