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

// There, the least and the greatest number of all are -infinity and infinity.
inline constexpr std::int64_t kMinusInfinity = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kInfinity = std::numeric_limits<std::int64_t>::max();

// Stands for -infinity: so long ago that it is before everything else, and not so long that the
// time since then is more than a Duration holds.
inline constexpr Instant kBeforeAllTime{std::chrono::seconds{-62'135'596'800}};  // The year 1.

// kBeforeAllTime and the last instant are the infinite times: people write them by SQL, and a row
// that is read has to be writable as it was. Any other that the server cannot hold stays out of its
// range, and the server refuses it.
inline std::int64_t to_timestamptz(Instant instant) {
    if (instant == kBeforeAllTime) return kMinusInfinity;
    if (instant == Instant::max()) return kInfinity;
    const std::int64_t unix = instant.time_since_epoch().count();
    return unix <= kMinusInfinity + kEpochDistance ? kMinusInfinity + 1 : unix - kEpochDistance;
}

inline Instant from_timestamptz(std::int64_t microseconds) {
    if (microseconds == kMinusInfinity) return kBeforeAllTime;
    if (microseconds > kInfinity - kEpochDistance) return Instant::max();
    return Instant(Duration(microseconds + kEpochDistance));
}

}  // namespace millrace::postgres
