#pragma once

#include "base/json/value.hpp"

namespace millrace {

// Some clients have all numbers as doubles, which hold integers exactly below 2^53 only. What such
// a client was sent and hands back would be changed by that, without anybody having meant to.

// Whether there is a whole number of 2^53 or more in it.
bool has_rounded_integer(const json::Value& reported);

// The reported value with each such number replaced by the integer of `sent` that a double rounds
// to it: the one at the same path; else the only one of that kind in all of `sent`. A number that
// fits none stays as it is, and so does one that was sent as that very double, there or, where
// nothing fits the path, anywhere. Takes n log n of the values of both.
json::Value with_exact_integers(json::Value reported, const json::Value& sent);

}  // namespace millrace
