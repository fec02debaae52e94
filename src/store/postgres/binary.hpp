#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "base/time.hpp"

namespace millrace::postgres {

// Numbers travel with their high byte first.
template <std::unsigned_integral Number>
void append_big_endian(std::string& out, Number number) {
    char bytes[sizeof(Number)];
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
        bytes[i] = static_cast<char>(number >> (8 * (sizeof(Number) - 1 - i)));
    }
    out.append(bytes, sizeof(Number));
}

template <std::unsigned_integral Number>
Number read_big_endian(const char* bytes) {
    Number number = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
        number = static_cast<Number>(number << 8 | static_cast<unsigned char>(bytes[i]));
    }
    return number;
}

// A timestamptz counts microseconds from the year 2000.
inline constexpr std::int64_t kEpochDistance = 946'684'800'000'000;

// What the server cannot hold stays out of its range, and the server refuses it.
inline std::int64_t to_timestamptz(Instant instant) {
    constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
    const std::int64_t unix = instant.time_since_epoch().count();
    // The least number of all means minus infinity there: not what was asked for.
    return unix <= kMin + kEpochDistance ? kMin + 1 : unix - kEpochDistance;
}

inline Instant from_timestamptz(std::int64_t microseconds) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    return Instant(
        Duration(microseconds > kMax - kEpochDistance ? kMax : microseconds + kEpochDistance));
}

}  // namespace millrace::postgres
