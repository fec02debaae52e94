#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "core/expression/evaluation.hpp"
#include "core/expression/value.hpp"

namespace millrace::expression {

struct Node;

using Arguments = std::span<const Value>;

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

// One function of the language. To add one, write it and give it a row in the table of its family.
struct Function {
    std::string_view name{};
    std::size_t arguments_min = 0;
    std::size_t arguments_max = 0;
    std::optional<Value> (*call)(Evaluation&, Arguments) = nullptr;
};

struct PredicateArguments {
    List list{};
    const Node* body = nullptr;  // Null when it was left out.
    std::optional<Value> extra{};
};

// A function that evaluates its second argument for each element of its first.
struct PredicateFunction {
    std::string_view name{};
    bool needs_body = true;
    bool takes_extra = false;
    std::optional<Value> (*call)(Evaluation&, const PredicateArguments&) = nullptr;
};

// Null when there is none of that name.
const Function* find_function(std::string_view name);
const PredicateFunction* find_predicate_function(std::string_view name);

// All of them, by family.
std::span<const Function> array_functions();
std::span<const Function> bit_functions();
std::span<const Function> conversion_functions();
std::span<const Function> map_functions();
std::span<const Function> number_functions();
std::span<const Function> text_functions();
std::span<const Function> time_functions();
std::span<const PredicateFunction> predicate_functions();

}  // namespace millrace::expression
