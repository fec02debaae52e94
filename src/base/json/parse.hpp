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

}  // namespace millrace::json
