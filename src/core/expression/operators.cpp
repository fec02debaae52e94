#include "core/expression/operators.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/expression/regex.hpp"
#include "core/expression/text_search.hpp"
#include "core/limits.hpp"

namespace millrace::expression {
namespace {

// Sets of characters without case and repetitions make a pattern dear to compile.
constexpr std::size_t kUnitsPerPatternByte = 8;

template <class T>
int three_way(const T& left, const T& right) {
    return left < right ? -1 : (right < left ? 1 : 0);
}

// Integers compare exactly, whether they come from a literal or from JSON.
std::optional<int> compare_numbers(const Value& left, const Value& right) {
    const auto left_exact = left.exact();
    const auto right_exact = right.exact();
    if (left_exact && right_exact) return three_way(*left_exact, *right_exact);
    const auto left_number = left.number();
    const auto right_number = right.number();
    if (!left_number || !right_number) return std::nullopt;
    return three_way(*left_number, *right_number);
}

std::optional<bool> equal_lists(Evaluation& run, const List& left, const List& right) {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto same = equal(run, left.at(i), right.at(i));
        if (!same || !*same) return same;
    }
    return true;
}

// Order does not matter between maps.
std::optional<bool> equal_maps(Evaluation& run, const Map& left, const Map& right) {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
        // Maps made alike have their keys at the same places.
        const bool same_place = right.key(i) == left.key(i);
        if (!same_place && !run.spend(right.size())) return std::nullopt;
        if (!run.touch(left.key(i).size(), bytes_per_unit::kCopied)) return std::nullopt;
        const auto other = same_place ? right.value(i) : right.find(left.key(i));
        if (!other) return false;
        const auto same = equal(run, left.value(i), *other);
        if (!same || !*same) return same;
    }
    return true;
}

struct Ends {
    std::int64_t from = 0;
    std::int64_t to = 0;
};

std::optional<Ends> ends_of_range(Evaluation& run, const Value& left, const Value& right) {
    const auto from = left.whole();
    const auto to = right.whole();
    if (!from || !to) {
        return run.fail("cannot make a range from " + std::string(left.type()) + " to " +
                        std::string(right.type()) + "; it needs whole numbers");
    }
    return Ends{*from, *to};
}

std::optional<Value> make_range(Evaluation& run, const Value& left, const Value& right) {
    const auto ends = ends_of_range(run, left, right);
    if (!ends) return std::nullopt;
    const auto [from, to] = *ends;
    if (from > to) return run.make_list({});
    // Two's complement: the difference of any two integers fits the unsigned type.
    const auto last = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    if (last >= limits::kExpressionStepsMax || !run.spend(last + 1)) {
        return run.fail("the range has more than " + std::to_string(limits::kExpressionStepsMax) +
                        " elements");
    }
    std::vector<Value> items;
    items.reserve(last + 1);
    for (std::uint64_t i = 0; i <= last; ++i) {
        items.emplace_back(from + static_cast<std::int64_t>(i));
    }
    return run.make_list(items);
}

struct Texts {
    std::string_view left{};
    std::string_view right{};
};

std::optional<Texts> texts(Evaluation& run, std::string_view op, const Value& left,
                           const Value& right) {
    const auto* left_text = left.get_if<std::string_view>();
    const auto* right_text = right.get_if<std::string_view>();
    if (left_text == nullptr || right_text == nullptr) {
        return run.fail(std::string(op) + " needs two strings, not " + std::string(left.type()) +
                        " and " + std::string(right.type()));
    }
    if (!run.spend_on(*left_text)) return std::nullopt;
    return Texts{*left_text, *right_text};
}

std::optional<Value> matches(Evaluation& run, const Texts& both) {
    if (!run.spend(both.right.size())) return std::nullopt;
    if (!run.touch(both.right.size() * kUnitsPerPatternByte, 1)) return std::nullopt;
    const Result<Regex> regex = Regex::compile(both.right);
    if (!regex) return run.fail(regex.error().detail);
    if (!run.spend(regex->cost(both.left))) return std::nullopt;
    const auto does_match = regex->matches(both.left, run.meter());
    if (!does_match) return run.fail_for_work();
    return Value(*does_match);
}

template <class Predicate>
std::optional<Value> ordered(Evaluation& run, const Value& left, const Value& right,
                             Predicate predicate) {
    const auto order = compare(run, left, right);
    if (!order) return std::nullopt;
    return Value(predicate(*order));
}

std::optional<Value> boolean(std::optional<bool> value, bool is_negated = false) {
    if (!value) return std::nullopt;
    return Value(*value != is_negated);
}

std::optional<Value> apply_to_texts(Evaluation& run, BinaryOperator op, const Value& left,
                                    const Value& right) {
    const std::string_view name = op == BinaryOperator::contains      ? "contains"
                                  : op == BinaryOperator::starts_with ? "startsWith"
                                  : op == BinaryOperator::ends_with   ? "endsWith"
                                                                      : "matches";
    const auto both = texts(run, name, left, right);
    if (!both) return std::nullopt;
    if (op == BinaryOperator::contains) {
        const auto at = find_text(both->left, both->right, 0, run.meter());
        if (!at) return run.fail_for_work();
        return Value(*at != std::string_view::npos);
    }
    if (op == BinaryOperator::starts_with) return Value(both->left.starts_with(both->right));
    if (op == BinaryOperator::ends_with) return Value(both->left.ends_with(both->right));
    return matches(run, *both);
}

}  // namespace

std::optional<Value> apply(Evaluation& run, UnaryOperator op, const Value& operand) {
    switch (op) {
        case UnaryOperator::negate: return negate(run, operand);
        case UnaryOperator::plus:
            if (operand.number() || operand.get_if<Span>() != nullptr) return operand;
            return run.fail("cannot apply + to " + std::string(operand.type()));
        case UnaryOperator::invert:
            if (const auto* value = operand.get_if<bool>()) return Value(!*value);
            return run.fail("cannot apply not to " + std::string(operand.type()));
    }
    return std::nullopt;
}

std::optional<Value> apply(Evaluation& run, BinaryOperator op, const Value& left,
                           const Value& right) {
    switch (op) {
        case BinaryOperator::add: return add(run, left, right);
        case BinaryOperator::subtract: return subtract(run, left, right);
        case BinaryOperator::multiply: return multiply(run, left, right);
        case BinaryOperator::divide: return divide(run, left, right);
        case BinaryOperator::modulo: return modulo(run, left, right);
        case BinaryOperator::power: return power(run, left, right);
        case BinaryOperator::range: return make_range(run, left, right);
        case BinaryOperator::equal: return boolean(equal(run, left, right));
        case BinaryOperator::not_equal: return boolean(equal(run, left, right), true);
        case BinaryOperator::less:
            return ordered(run, left, right, [](int order) { return order < 0; });
        case BinaryOperator::less_equal:
            return ordered(run, left, right, [](int order) { return order <= 0; });
        case BinaryOperator::greater:
            return ordered(run, left, right, [](int order) { return order > 0; });
        case BinaryOperator::greater_equal:
            return ordered(run, left, right, [](int order) { return order >= 0; });
        case BinaryOperator::in: return boolean(is_in(run, left, right));
        case BinaryOperator::contains:
        case BinaryOperator::starts_with:
        case BinaryOperator::ends_with:
        case BinaryOperator::matches: return apply_to_texts(run, op, left, right);
    }
    return std::nullopt;
}

std::optional<bool> equal(Evaluation& run, const Value& left, const Value& right) {
    if (!run.spend()) return std::nullopt;
    if (const auto order = compare_numbers(left, right)) return *order == 0;
    if (left.type() != right.type()) return false;
    if (const auto* text = left.get_if<std::string_view>()) {
        const auto& other = *right.get_if<std::string_view>();
        if (text->size() != other.size()) return false;
        if (!run.spend_on(*text)) return std::nullopt;
        return *text == other;
    }
    if (const auto* list = left.get_if<List>()) {
        return equal_lists(run, *list, *right.get_if<List>());
    }
    if (const auto* map = left.get_if<Map>()) return equal_maps(run, *map, *right.get_if<Map>());
    if (const auto* value = left.get_if<bool>()) return *value == *right.get_if<bool>();
    if (const auto* time = left.get_if<Time>()) return time->at == right.get_if<Time>()->at;
    if (const auto* span = left.get_if<Span>()) return *span == *right.get_if<Span>();
    if (const auto* zone = left.get_if<Zone>()) {
        const auto& other = *right.get_if<Zone>();
        return zone->offset == other.offset && zone->named == other.named;
    }
    return true;
}

std::optional<int> compare(Evaluation& run, const Value& left, const Value& right) {
    if (const auto order = compare_numbers(left, right)) return order;
    const auto* text = left.get_if<std::string_view>();
    const auto* other_text = right.get_if<std::string_view>();
    if (text != nullptr && other_text != nullptr) {
        // Only as far as the shorter one reaches.
        const std::size_t compared = std::min(text->size(), other_text->size());
        if (!run.spend_on(text->substr(0, compared))) return std::nullopt;
        return three_way(*text, *other_text);
    }
    const auto* time = left.get_if<Time>();
    const auto* other_time = right.get_if<Time>();
    if (time != nullptr && other_time != nullptr) return three_way(time->at, other_time->at);
    const auto* span = left.get_if<Span>();
    const auto* other_span = right.get_if<Span>();
    if (span != nullptr && other_span != nullptr) return three_way(*span, *other_span);
    return run.fail("cannot compare " + std::string(left.type()) + " with " +
                    std::string(right.type()));
}

std::optional<bool> is_in(Evaluation& run, const Value& element, const Value& container) {
    if (container.is_nil()) return false;
    if (const auto* list = container.get_if<List>()) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            const auto same = equal(run, list->at(i), element);
            if (!same || *same) return same;
        }
        return false;
    }
    if (const auto* map = container.get_if<Map>()) {
        const auto* key = element.get_if<std::string_view>();
        const auto found = run.find_member(*map, key != nullptr ? *key : std::string_view());
        if (!found) return std::nullopt;
        return key != nullptr && found->has_value();
    }
    return run.fail("cannot look into " + std::string(container.type()) + " with in");
}

std::optional<bool> is_in_range(Evaluation& run, const Value& element, const Value& from,
                                const Value& to) {
    const auto ends = ends_of_range(run, from, to);
    if (!ends) return std::nullopt;
    if (ends->from > ends->to) return false;
    if (const auto exact = element.exact()) return *exact >= ends->from && *exact <= ends->to;
    const auto* number = element.get_if<double>();
    // As == compares: with the elements as doubles. Rounding keeps their order.
    return number != nullptr && std::trunc(*number) == *number &&
           *number >= static_cast<double>(ends->from) && *number <= static_cast<double>(ends->to);
}

}  // namespace millrace::expression
