#pragma once

#include <optional>
#include <string_view>

#include "core/expression/evaluation.hpp"
#include "core/expression/value.hpp"

namespace millrace::expression {

enum class UnaryOperator { negate, plus, invert };

enum class BinaryOperator {
    add,
    subtract,
    multiply,
    divide,
    modulo,
    power,
    range,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    in,
    contains,
    starts_with,
    ends_with,
    matches,
};

constexpr bool is_ordering(BinaryOperator op) {
    return op == BinaryOperator::less || op == BinaryOperator::less_equal ||
           op == BinaryOperator::greater || op == BinaryOperator::greater_equal;
}

std::optional<Value> apply(Evaluation& run, UnaryOperator op, const Value& operand);
std::optional<Value> apply(Evaluation& run, BinaryOperator op, const Value& left,
                           const Value& right);

// Never fails but by the bounds: values of different types are unequal.
std::optional<bool> equal(Evaluation& run, const Value& left, const Value& right);

// Below, at or above 0. Fails unless both are numbers, texts, times or durations.
std::optional<int> compare(Evaluation& run, const Value& left, const Value& right);

// Whether `element` is in an array or a key of a map; nil has nothing in it.
std::optional<bool> is_in(Evaluation& run, const Value& element, const Value& container);

// Whether `element` is in `from..to`, which is not made for it.
std::optional<bool> is_in_range(Evaluation& run, const Value& element, const Value& from,
                                const Value& to);

// The arithmetic, one function per operator (arithmetic.cpp).
std::optional<Value> add(Evaluation& run, const Value& left, const Value& right);
std::optional<Value> subtract(Evaluation& run, const Value& left, const Value& right);
std::optional<Value> multiply(Evaluation& run, const Value& left, const Value& right);
std::optional<Value> divide(Evaluation& run, const Value& left, const Value& right);
std::optional<Value> modulo(Evaluation& run, const Value& left, const Value& right);
std::optional<Value> power(Evaluation& run, const Value& left, const Value& right);
std::optional<Value> negate(Evaluation& run, const Value& operand);

// A double that has a JSON form; `what` names the operation otherwise.
std::optional<Value> finite(Evaluation& run, double number, std::string_view what);

}  // namespace millrace::expression
