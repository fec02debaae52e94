#include <array>
#include <cstdint>

#include "core/expression/arguments.hpp"

namespace millrace::expression {
namespace {

constexpr std::int64_t kBits = 64;

std::uint64_t bits_of(std::int64_t value) {
    return static_cast<std::uint64_t>(value);
}

std::int64_t integer_of(std::uint64_t bits) {
    return static_cast<std::int64_t>(bits);
}

// Integers of the language only: the bits of a JSON number are not what people mean.
std::optional<std::int64_t> bits_argument(Evaluation& run, const Value& value) {
    if (const auto* integer = value.integer()) return *integer;
    return run.fail("a bit function needs integers, not " + std::string(value.type()) +
                    "; int(x) makes one of a number");
}

template <std::int64_t (*Combine)(std::int64_t, std::int64_t)>
std::optional<Value> combine(Evaluation& run, Arguments arguments) {
    const auto left = bits_argument(run, arguments[0]);
    if (!left) return std::nullopt;
    const auto right = bits_argument(run, arguments[1]);
    if (!right) return std::nullopt;
    return Value(Combine(*left, *right));
}

// As `combine`; the second argument is how far to shift.
template <std::int64_t (*Shift)(std::int64_t, std::int64_t)>
std::optional<Value> shift(Evaluation& run, Arguments arguments) {
    const auto* count = arguments[1].integer();
    if (count != nullptr && *count < 0)
        return run.fail("cannot shift by a negative number of bits");
    return combine<Shift>(run, arguments);
}

std::int64_t bit_and(std::int64_t left, std::int64_t right) {
    return left & right;
}

std::int64_t bit_or(std::int64_t left, std::int64_t right) {
    return left | right;
}

std::int64_t bit_xor(std::int64_t left, std::int64_t right) {
    return left ^ right;
}

std::int64_t bit_and_not(std::int64_t left, std::int64_t right) {
    return left & ~right;
}

std::int64_t shift_left(std::int64_t value, std::int64_t count) {
    return count >= kBits ? 0 : integer_of(bits_of(value) << count);
}

std::int64_t shift_right(std::int64_t value, std::int64_t count) {
    return value >> (count >= kBits ? kBits - 1 : count);
}

std::int64_t shift_right_unsigned(std::int64_t value, std::int64_t count) {
    return count >= kBits ? 0 : integer_of(bits_of(value) >> count);
}

std::optional<Value> bit_not(Evaluation& run, Arguments arguments) {
    const auto value = bits_argument(run, arguments[0]);
    if (!value) return std::nullopt;
    return Value(~*value);
}

constexpr std::array<Function, 8> kBitFunctions{{
    {"bitand", 2, 2, combine<bit_and>},
    {"bitor", 2, 2, combine<bit_or>},
    {"bitxor", 2, 2, combine<bit_xor>},
    {"bitnand", 2, 2, combine<bit_and_not>},
    {"bitnot", 1, 1, bit_not},
    {"bitshl", 2, 2, shift<shift_left>},
    {"bitshr", 2, 2, shift<shift_right>},
    {"bitushr", 2, 2, shift<shift_right_unsigned>},
}};

}  // namespace

std::span<const Function> bit_functions() {
    return kBitFunctions;
}

}  // namespace millrace::expression
