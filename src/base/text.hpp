#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

// Small questions about text that every layer asks, in ASCII: no locale has a say.
namespace millrace {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

inline std::string quoted(std::string_view text) {
    std::string result;
    result.reserve(text.size() + 2);
    result += '"';
    result += text;
    result += '"';
    return result;
}

constexpr std::string_view trimmed(std::string_view text, std::string_view space = " ") {
    const std::size_t first = text.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

inline std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

inline std::string joined(const std::vector<std::string>& texts, std::string_view separator) {
    std::string result;
    for (const std::string& text : texts) {
        if (!result.empty()) result += separator;
        result += text;
    }
    return result;
}

}  // namespace millrace
