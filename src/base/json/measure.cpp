#include "base/json/measure.hpp"

#include <algorithm>
#include <cmath>

namespace millrace::json {

namespace {

void add_measure(Measure& sum, const Value& value, std::size_t depth) {
    sum.values += 1;
    if (const double* number = value.if_number()) {
        sum.is_finite = sum.is_finite && std::isfinite(*number);
    } else if (const Array* items = value.if_array()) {
        sum.depth = std::max(sum.depth, depth + 1);
        for (const Value& item : *items) add_measure(sum, item, depth + 1);
    } else if (const Object* members = value.if_object()) {
        sum.depth = std::max(sum.depth, depth + 1);
        for (const Member& member : *members) add_measure(sum, member.value, depth + 1);
    }
}

}  // namespace

Measure measure(const Value& value) {
    Measure sum;
    add_measure(sum, value, 0);
    return sum;
}

}  // namespace millrace::json
