#include <algorithm>
#include <cmath>
#include <string>

#include "core/expression/operators.hpp"
#include "core/expression/time_value.hpp"

namespace millrace::expression {
namespace {

std::nullopt_t wrong_types(Evaluation& run, std::string_view op, const Value& left,
                           const Value& right) {
    return run.fail("cannot apply " + std::string(op) + " to " + std::string(left.type()) +
                    " and " + std::string(right.type()));
}

std::nullopt_t overflow(Evaluation& run, std::string_view what) {
    return run.fail("the result of " + std::string(what) + " does not fit 64 bits");
}

// Durations are integers of nanoseconds, so that they overflow alike.
std::optional<Value> span_of(Evaluation& run, double nanoseconds, std::string_view op) {
    const auto whole = Value(std::trunc(nanoseconds)).whole();
    if (!whole) return overflow(run, op);
    return Value(Span(*whole));
}

std::optional<Value> shift(Evaluation& run, const Time& time, Span span, bool back) {
    const auto delta = std::chrono::duration_cast<Duration>(span).count();
    std::int64_t at = 0;
    const std::int64_t from = time.at.time_since_epoch().count();
    const bool overflows =
        back ? __builtin_sub_overflow(from, delta, &at) : __builtin_add_overflow(from, delta, &at);
    const Zone zone{.offset = time.offset, .named = time.zone};
    const auto moved = overflows ? std::nullopt : shown_in(Instant(Duration(at)), zone);
    if (!moved) return run.fail(std::string(kBeyondYears));
    return Value(*moved);
}

std::optional<Value> between(Evaluation& run, const Time& left, const Time& right) {
    std::int64_t micros = 0;
    std::int64_t nanos = 0;
    if (__builtin_sub_overflow(left.at.time_since_epoch().count(),
                               right.at.time_since_epoch().count(), &micros) ||
        __builtin_mul_overflow(micros, std::int64_t{1000}, &nanos)) {
        return overflow(run, "-");
    }
    return Value(Span(nanos));
}

std::optional<Value> concatenate(Evaluation& run, std::string_view left, std::string_view right) {
    char* const text = run.allocate_text(left.size() + right.size());
    if (text == nullptr) return std::nullopt;
    std::ranges::copy(right, std::ranges::copy(left, text).out);
    return Value(std::string_view(text, left.size() + right.size()));
}

// Both operands as durations' nanoseconds, or both as integers of the language.
struct Integers {
    std::int64_t left = 0;
    std::int64_t right = 0;
    bool are_spans = false;

    Value make(std::int64_t result) const {
        return are_spans ? Value(Span(result)) : Value(result);
    }
};

std::optional<Integers> integers(const Value& left, const Value& right) {
    if (left.integer() != nullptr && right.integer() != nullptr) {
        return Integers{*left.integer(), *right.integer(), false};
    }
    const auto* left_span = left.get_if<Span>();
    const auto* right_span = right.get_if<Span>();
    if (left_span == nullptr || right_span == nullptr) return std::nullopt;
    return Integers{left_span->count(), right_span->count(), true};
}

struct Numbers {
    double left = 0;
    double right = 0;
};

std::optional<Numbers> numbers(const Value& left, const Value& right) {
    const auto left_number = left.number();
    const auto right_number = right.number();
    if (!left_number || !right_number) return std::nullopt;
    return Numbers{*left_number, *right_number};
}

}  // namespace

std::optional<Value> finite(Evaluation& run, double number, std::string_view what) {
    if (std::isfinite(number)) return Value(number);
    return run.fail("the result of " + std::string(what) + " is no finite number");
}

std::optional<Value> add(Evaluation& run, const Value& left, const Value& right) {
    if (const auto both = integers(left, right)) {
        std::int64_t sum = 0;
        if (__builtin_add_overflow(both->left, both->right, &sum)) return overflow(run, "+");
        return both->make(sum);
    }
    if (const auto both = numbers(left, right)) return finite(run, both->left + both->right, "+");
    const auto* left_text = left.get_if<std::string_view>();
    const auto* right_text = right.get_if<std::string_view>();
    if (left_text != nullptr && right_text != nullptr) {
        return concatenate(run, *left_text, *right_text);
    }
    const auto* left_time = left.get_if<Time>();
    const auto* right_time = right.get_if<Time>();
    const auto* left_span = left.get_if<Span>();
    const auto* right_span = right.get_if<Span>();
    if (left_time != nullptr && right_span != nullptr) {
        return shift(run, *left_time, *right_span, false);
    }
    if (left_span != nullptr && right_time != nullptr) {
        return shift(run, *right_time, *left_span, false);
    }
    return wrong_types(run, "+", left, right);
}

std::optional<Value> subtract(Evaluation& run, const Value& left, const Value& right) {
    if (const auto both = integers(left, right)) {
        std::int64_t difference = 0;
        if (__builtin_sub_overflow(both->left, both->right, &difference)) {
            return overflow(run, "-");
        }
        return both->make(difference);
    }
    if (const auto both = numbers(left, right)) return finite(run, both->left - both->right, "-");
    const auto* time = left.get_if<Time>();
    const auto* other = right.get_if<Time>();
    const auto* span = right.get_if<Span>();
    if (time != nullptr && other != nullptr) return between(run, *time, *other);
    if (time != nullptr && span != nullptr) return shift(run, *time, *span, true);
    return wrong_types(run, "-", left, right);
}

std::optional<Value> multiply(Evaluation& run, const Value& left, const Value& right) {
    if (left.integer() != nullptr && right.integer() != nullptr) {
        std::int64_t product = 0;
        if (__builtin_mul_overflow(*left.integer(), *right.integer(), &product)) {
            return overflow(run, "*");
        }
        return Value(product);
    }
    if (const auto both = numbers(left, right)) return finite(run, both->left * both->right, "*");
    const auto* left_span = left.get_if<Span>();
    const auto* right_span = right.get_if<Span>();
    const auto* span = left_span != nullptr ? left_span : right_span;
    const auto factor = left_span != nullptr ? right.number() : left.number();
    if (span != nullptr && factor) {
        return span_of(run, static_cast<double>(span->count()) * *factor, "*");
    }
    return wrong_types(run, "*", left, right);
}

std::optional<Value> divide(Evaluation& run, const Value& left, const Value& right) {
    const auto divisor = right.number();
    if (divisor && *divisor == 0) return run.fail("division by zero");
    if (const auto both = numbers(left, right)) return finite(run, both->left / both->right, "/");
    const auto* span = left.get_if<Span>();
    const auto* unit = right.get_if<Span>();
    if (span != nullptr && divisor) {
        return span_of(run, static_cast<double>(span->count()) / *divisor, "/");
    }
    if (span != nullptr && unit != nullptr) {
        if (unit->count() == 0) return run.fail("division by zero");
        return Value(static_cast<double>(span->count()) / static_cast<double>(unit->count()));
    }
    return wrong_types(run, "/", left, right);
}

std::optional<Value> modulo(Evaluation& run, const Value& left, const Value& right) {
    if (left.integer() == nullptr || right.integer() == nullptr) {
        return run.fail("% needs two integers, not " + std::string(left.type()) + " and " +
                        std::string(right.type()) + "; int(x) makes one of a number");
    }
    if (*right.integer() == 0) return run.fail("division by zero");
    // The quotient of the smallest integer and -1 does not exist, its remainder does.
    if (*right.integer() == -1) return Value(std::int64_t{0});
    return Value(*left.integer() % *right.integer());
}

std::optional<Value> power(Evaluation& run, const Value& left, const Value& right) {
    const auto both = numbers(left, right);
    if (!both) return wrong_types(run, "**", left, right);
    return finite(run, std::pow(both->left, both->right), "**");
}

std::optional<Value> negate(Evaluation& run, const Value& operand) {
    if (const auto* span = operand.get_if<Span>()) {
        return span->count() == Span::min().count() ? overflow(run, "-")
                                                    : std::optional<Value>(-*span);
    }
    if (const auto* integer = operand.integer()) {
        std::int64_t negated = 0;
        if (__builtin_sub_overflow(std::int64_t{0}, *integer, &negated)) return overflow(run, "-");
        return Value(negated);
    }
    if (const auto number = operand.number()) return Value(-*number);
    return run.fail("cannot apply - to " + std::string(operand.type()));
}

}  // namespace millrace::expression
