#include "core/expression/utf8.hpp"

#include <algorithm>

namespace millrace::expression::utf8 {
namespace {

constexpr bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

struct Lead {
    std::size_t size = 0;  // 0: no lead byte.
    char32_t bits = 0;
    char32_t value_min = 0;
};

Lead lead_of(char byte) {
    const auto value = static_cast<unsigned char>(byte);
    if (value < 0x80U) return {1, value, 0};
    if (value < 0xC0U) return {};
    if (value < 0xE0U) return {2, value & 0x1FU, 0x80};
    if (value < 0xF0U) return {3, value & 0x0FU, 0x800};
    if (value < 0xF8U) return {4, value & 0x07U, 0x10000};
    return {};
}

}  // namespace

std::optional<CodePoint> decode(std::string_view text) {
    const Lead lead = lead_of(text.front());
    if (lead.size == 0 || lead.size > text.size()) return std::nullopt;
    char32_t value = lead.bits;
    for (std::size_t i = 1; i < lead.size; ++i) {
        if (!is_continuation(text[i])) return std::nullopt;
        value = (value << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    if (value < lead.value_min || !is_code_point(value)) return std::nullopt;
    return CodePoint{.value = value, .size = lead.size};
}

std::size_t valid_size(std::string_view text) {
    std::size_t size = 0;
    while (size < text.size()) {
        const auto next = decode(text.substr(size));
        if (!next) break;
        size += next->size;
    }
    return size;
}

bool is_valid(std::string_view text) {
    return valid_size(text) == text.size();
}

std::size_t length(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return !is_continuation(byte); }));
}

std::size_t offset_of(std::string_view text, std::size_t index) {
    std::size_t offset = 0;
    while (index-- > 0 && offset < text.size()) offset += size_at(text, offset);
    return offset;
}

std::size_t size_at(std::string_view text, std::size_t offset) {
    std::size_t end = offset + 1;
    while (end < text.size() && is_continuation(text[end])) ++end;
    return end - offset;
}

void append(std::string& out, char32_t value) {
    const auto low = [&](unsigned shift) {
        out += static_cast<char>(0x80U | ((value >> shift) & 0x3FU));
    };
    if (value < 0x80) {
        out += static_cast<char>(value);
    } else if (value < 0x800) {
        out += static_cast<char>(0xC0U | (value >> 6U));
        low(0);
    } else if (value < 0x10000) {
        out += static_cast<char>(0xE0U | (value >> 12U));
        low(6), low(0);
    } else {
        out += static_cast<char>(0xF0U | (value >> 18U));
        low(12), low(6), low(0);
    }
}

}  // namespace millrace::expression::utf8
