#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/expression/regex.hpp"

namespace millrace::expression {

inline constexpr std::uint32_t kRepeatMax = 1'000;
inline constexpr std::uint32_t kUnbounded = kRepeatMax + 1;

// A parsed pattern.
struct Pattern {
    enum class Kind { sequence, alternatives, repeat, set, assertion };

    Kind kind = Kind::sequence;
    std::vector<Pattern> parts{};  // One of a repeat.
    std::uint32_t count_min = 0;
    std::uint32_t count_max = 0;  // kUnbounded: any number.
    Regex::Set set{};
    Regex::Operation assertion = Regex::Operation::begin;
};

Result<Pattern> parse_pattern(std::string_view text);

}  // namespace millrace::expression
