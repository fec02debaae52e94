#include "core/expression/base64.hpp"

#include <cstdint>

namespace millrace::expression {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::string_view group = bytes.substr(i, 3);
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            bits = (bits << 8U) | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += k <= group.size() ? kAlphabet[(bits >> (18 - 6 * k)) & 0x3FU] : '=';
        }
    }
    return text;
}

std::optional<std::string> from_base64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::string_view group = text.substr(i, 4);
        if (i + 4 == text.size()) {
            if (group.ends_with('=')) group.remove_suffix(1);
            if (group.ends_with('=')) group.remove_suffix(1);
        }
        std::uint32_t bits = 0;
        for (const char letter : group) {
            const std::size_t value = kAlphabet.find(letter);
            if (value == std::string_view::npos) return std::nullopt;
            bits = (bits << 6U) | static_cast<std::uint32_t>(value);
        }
        if (group.size() < 2) return std::nullopt;
        bits <<= 6 * (4 - group.size());
        for (std::size_t k = 0; k + 1 < group.size(); ++k) {
            bytes += static_cast<char>((bits >> (16 - 8 * k)) & 0xFFU);
        }
    }
    return bytes;
}

}  // namespace millrace::expression
