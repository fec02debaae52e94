#pragma once

#include <cstddef>

#include "base/json/value.hpp"

namespace millrace::json {

// How large a value is, in the terms of the parser's limits.
struct Measure {
    std::size_t values = 0;  // All of them: the value itself, and those inside.
    std::size_t depth = 0;   // Arrays and objects around the innermost value.
    bool is_finite = true;   // No number is NaN or infinite: write() has a form for each.

    friend bool operator==(const Measure&, const Measure&) = default;
};

// A value that was made, not parsed, may be larger than parse() would read back.
Measure measure(const Value& value);

}  // namespace millrace::json
