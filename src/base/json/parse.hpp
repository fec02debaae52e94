#pragma once

#include <string_view>

#include "base/json/value.hpp"
#include "base/result.hpp"

namespace millrace::json {

// Reads one whole document. Refuses with invalid_argument, and a sentence that says where: bad
// syntax, bad UTF-8, half a surrogate pair, a number beyond doubles, a key that stands twice in one
// object, nesting beyond kDepthMax, more than kValuesMax values, anything but white space behind
// the value. Integers beyond 64 bits become doubles.
Result<Value> parse(std::string_view text);

// The same, but what follows the first value is ignored, as existing clients may rely on.
Result<Value> parse_first(std::string_view text);

}  // namespace millrace::json
