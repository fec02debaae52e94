#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/json/reader.hpp"
#include "base/text.hpp"

namespace millrace::json {

namespace {

// from_chars reports numbers too large and numbers too small alike: strtod tells them apart.
double beyond_range(const char* start, const char* end) {
    return std::strtod(std::string(start, end).c_str(), nullptr);
}

}  // namespace

// Integers that fit 64 bits stay exact. -0 is a double: an integer would lose its sign.
bool Reader::read_number(Value& out) {
    const char* start = at_;
    if (*at_ == '-') ++at_;
    const char* first_digit = at_;
    if (!skip_digits()) return fail(start, "expected a value");
    if (*first_digit == '0' && at_ - first_digit > 1) {
        return fail(start, "a number must not begin with 0");
    }

    bool is_whole = true;
    if (at_ != end_ && *at_ == '.') {
        is_whole = false;
        ++at_;
        if (!skip_digits()) return fail(start, "expected a digit behind the decimal point");
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
        is_whole = false;
        ++at_;
        if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
        if (!skip_digits()) return fail(start, "expected a digit in the exponent");
    }

    std::int64_t integer = 0;
    const bool is_minus_zero = *start == '-' && *first_digit == '0';
    if (is_whole && !is_minus_zero && std::from_chars(start, at_, integer).ec == std::errc{}) {
        out = integer;
        return true;
    }
    return read_double(start, out);
}

// False when there is not even one.
bool Reader::skip_digits() {
    const char* start = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != start;
}

bool Reader::read_double(const char* start, Value& out) {
    double number = 0;
    const auto [end, error] = std::from_chars(start, at_, number);
    if (error == std::errc::result_out_of_range) number = beyond_range(start, at_);
    if (!std::isfinite(number)) return fail(start, "the number is too large");
    out = number;
    return true;
}

}  // namespace millrace::json
