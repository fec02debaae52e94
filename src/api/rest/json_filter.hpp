#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/json/value.hpp"
#include "base/result.hpp"

namespace millrace::rest {

// The filter in the body of a call that changes many things at once. A name that is misspelt, or a
// value that is empty, null or of a wrong type, would find more than was meant: it is refused.

enum class FilterKind { text, text_or_texts, integer, flag };

struct FilterField {
    std::string_view name{};
    FilterKind kind = FilterKind::text;
};

// By name, as a query would have them: several texts with commas between.
using FilterTexts = std::map<std::string, std::string, std::less<>>;

// invalid_argument names the field below `filter` that is wrong.
Result<FilterTexts> read_json_filter(const json::Value& object,
                                     std::span<const FilterField> fields);

}  // namespace millrace::rest
