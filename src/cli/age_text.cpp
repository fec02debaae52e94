#include "cli/age_text.hpp"

#include <algorithm>
#include <cstdint>

namespace millrace::cli {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

std::string two_units(std::int64_t large, const char* large_unit, std::int64_t small,
                      const char* small_unit) {
    const std::string text = std::to_string(large) + large_unit;
    return small == 0 ? text : text + " " + std::to_string(small) + small_unit;
}

}  // namespace

std::string age_text(double seconds) {
    // What a century has, for values that make no sense.
    const double sane = std::clamp(seconds, 0.0, 100.0 * 366 * kDay);
    const auto whole = static_cast<std::int64_t>(sane);
    if (whole < 10) {
        const auto tenths = static_cast<std::int64_t>(sane * 10);
        return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
    }
    if (whole < 2 * kMinute) return std::to_string(whole) + " s";
    if (whole < 2 * kHour) return std::to_string(whole / kMinute) + " min";
    if (whole < 2 * kDay) return two_units(whole / kHour, " h", whole % kHour / kMinute, " min");
    return two_units(whole / kDay, " d", whole % kDay / kHour, " h");
}

}  // namespace millrace::cli
