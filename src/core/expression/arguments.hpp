#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/expression/functions.hpp"

// What the functions of the language ask of their arguments. Each fails with the function's name
// and the type that it got.
namespace millrace::expression {

std::nullopt_t fail_argument(Evaluation& run, std::string_view function, std::string_view wanted,
                             const Value& got);

// Counts the work of reading the text.
std::optional<std::string_view> text_argument(Evaluation& run, std::string_view function,
                                              const Value& value);
std::optional<List> list_argument(Evaluation& run, std::string_view function, const Value& value);
std::optional<Map> map_argument(Evaluation& run, std::string_view function, const Value& value);
std::optional<std::int64_t> whole_argument(Evaluation& run, std::string_view function,
                                           const Value& value);

}  // namespace millrace::expression
