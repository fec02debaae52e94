#include "config/setting_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace millrace::config {

bool parse_decimal(std::string_view text, double min, double max, double& out) {
    const char* end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data(), end, out);
    return error == std::errc{} && parsed == end && out >= min && out <= max;
}

bool parse_boolean(std::string text, bool& out) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    constexpr std::array<std::string_view, 5> kTrue{"true", "t", "1", "yes", "on"};
    constexpr std::array<std::string_view, 5> kFalse{"false", "f", "0", "no", "off"};
    out = std::ranges::find(kTrue, text) != kTrue.end();
    return out || std::ranges::find(kFalse, text) != kFalse.end();
}

bool parse_seconds(std::string_view text, double min, double max, std::chrono::milliseconds& out) {
    double seconds = 0;
    if (!parse_decimal(text, min, max, seconds)) return false;
    out = std::chrono::milliseconds(std::llround(seconds * 1000));
    return true;
}

bool one_of(const std::string& text, std::initializer_list<std::string_view> choices,
            std::string& out) {
    if (std::ranges::find(choices, text) == choices.end()) return false;
    out = text;
    return true;
}

bool is_postgres(std::string_view text) {
    const bool is_url = text.starts_with("postgres://") || text.starts_with("postgresql://");
    const bool is_foreign_url = text.find("://") < text.find('=');
    return is_url || (!is_foreign_url && text.find('=') != std::string_view::npos);
}

std::string decimal_text(double number) {
    // Else the shortest form of 100000 would be 1e+05.
    if (std::trunc(number) == number && std::abs(number) < 1e15) {
        return std::to_string(static_cast<std::int64_t>(number));
    }
    std::array<char, 32> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    return {digits.data(), written.ptr};
}

}  // namespace millrace::config
