#pragma once

#include <string>

#include "core/expression/value.hpp"

namespace millrace::expression {

// What string(x) gives: 600000000.0 is "6e+08", nil is "<nil>", an array "[1 2]", a map "map[a:1]",
// a time its RFC 3339 form.
std::string format(const Value& value);

void append_format(std::string& out, const Value& value);

}  // namespace millrace::expression
