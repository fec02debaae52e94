#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/value.hpp"

namespace millrace::json {

// Compact text. `<`, `>`, `&`, U+2028 and U+2029 are escaped, so that the text may stand inside
// HTML and scripts. Doubles are written in their shortest form that reads back the same, without
// `.0`, with an exponent below 1e-6 and from 1e21 on. NaN and infinity have no JSON: they abort.
std::string write(const Value& value);

void append(std::string& out, const Value& value);
void append_string(std::string& out, std::string_view text);
void append_integer(std::string& out, std::int64_t number);
void append_number(std::string& out, double number);

}  // namespace millrace::json
