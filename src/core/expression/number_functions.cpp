#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/expression/arguments.hpp"
#include "core/expression/operators.hpp"

namespace millrace::expression {
namespace {

std::optional<Value> abs(Evaluation& run, Arguments arguments) {
    const Value& value = arguments[0];
    const auto number = value.number();
    if (!number) return fail_argument(run, "abs", "a number", value);
    return *number < 0 ? negate(run, value) : value;
}

template <double (*Round)(double)>
std::optional<Value> rounded(Evaluation& run, Arguments arguments) {
    const auto number = arguments[0].number();
    if (!number) return fail_argument(run, "rounding", "a number", arguments[0]);
    return Value(Round(*number));
}

double ceil(double number) {
    return std::ceil(number);
}

double floor(double number) {
    return std::floor(number);
}

// Halves go away from zero.
double round(double number) {
    return std::round(number);
}

// Appends the numbers of the arguments, and of arrays among them at any depth.
bool collect(Evaluation& run, std::string_view function, const Value& value,
             std::vector<Value>& out) {
    if (!run.spend()) return false;
    if (const auto* list = value.get_if<List>()) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (!collect(run, function, list->at(i), out)) return false;
        }
        return true;
    }
    if (!value.number()) {
        (void)fail_argument(run, function, "numbers", value);
        return false;
    }
    out.push_back(value);
    return true;
}

std::optional<std::vector<Value>> collect(Evaluation& run, std::string_view function,
                                          Arguments arguments) {
    std::vector<Value> numbers;
    for (const Value& argument : arguments) {
        if (!collect(run, function, argument, numbers)) return std::nullopt;
    }
    return numbers;
}

// Nil of nothing; of equals the first.
std::optional<Value> extreme(Evaluation& run, std::string_view function, Arguments arguments,
                             int wanted_order) {
    const auto numbers = collect(run, function, arguments);
    if (!numbers) return std::nullopt;
    if (numbers->empty()) return Value();
    Value best = numbers->front();
    for (const Value& number : *numbers) {
        const auto order = compare(run, number, best);
        if (!order) return std::nullopt;
        if (*order == wanted_order) best = number;
    }
    return best;
}

std::optional<Value> max(Evaluation& run, Arguments arguments) {
    return extreme(run, "max", arguments, 1);
}

std::optional<Value> min(Evaluation& run, Arguments arguments) {
    return extreme(run, "min", arguments, -1);
}

std::optional<Value> mean(Evaluation& run, Arguments arguments) {
    const auto numbers = collect(run, "mean", arguments);
    if (!numbers) return std::nullopt;
    if (numbers->empty()) return Value(0.0);
    double sum = 0;
    for (const Value& number : *numbers) sum += *number.number();
    return finite(run, sum / static_cast<double>(numbers->size()), "mean");
}

std::optional<Value> median(Evaluation& run, Arguments arguments) {
    const auto numbers = collect(run, "median", arguments);
    if (!numbers) return std::nullopt;
    if (numbers->empty()) return Value(0.0);
    std::vector<double> sorted;
    sorted.reserve(numbers->size());
    for (const Value& number : *numbers) sorted.push_back(*number.number());
    std::ranges::sort(sorted);
    const std::size_t middle = sorted.size() / 2;
    if (sorted.size() % 2 == 1) return Value(sorted[middle]);
    return finite(run, (sorted[middle - 1] + sorted[middle]) / 2, "median");
}

constexpr std::array<Function, 8> kNumberFunctions{{
    {"abs", 1, 1, abs},
    {"ceil", 1, 1, rounded<ceil>},
    {"floor", 1, 1, rounded<floor>},
    {"round", 1, 1, rounded<round>},
    {"max", 1, kAnyNumber, max},
    {"min", 1, kAnyNumber, min},
    {"mean", 1, kAnyNumber, mean},
    {"median", 1, kAnyNumber, median},
}};

}  // namespace

std::span<const Function> number_functions() {
    return kNumberFunctions;
}

}  // namespace millrace::expression
