#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "core/expression/functions.hpp"

namespace millrace::expression {

// One method of times and durations: `now().Year()`. The first argument is the value it stands
// behind; it fails on values of another type.
struct Method {
    std::string_view name{};
    std::size_t arguments = 0;  // In the parentheses.
    std::optional<Value> (*call)(Evaluation&, Arguments) = nullptr;
};

// Null when there is none of that name.
const Method* find_method(std::string_view name);

std::span<const Method> methods();

}  // namespace millrace::expression
