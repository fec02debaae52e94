#pragma once

#include "base/json/value.hpp"

namespace millrace::json {

// Sorts the members of every object by key, at every level, so that documents that differ in the
// order of their members become the same. Arrays keep their order.
void sort_keys(Value& value);

}  // namespace millrace::json
