#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Texts are UTF-8 and are counted, indexed and cut by code points.
namespace millrace::expression::utf8 {

struct CodePoint {
    char32_t value = 0;
    std::size_t size = 1;  // In bytes.
};

// The code point at the start of a text that is not empty; nothing when it is no UTF-8.
std::optional<CodePoint> decode(std::string_view text);

// How many bytes from the start are UTF-8.
std::size_t valid_size(std::string_view text);

bool is_valid(std::string_view text);

// In code points; `text` is valid.
std::size_t length(std::string_view text);

// The byte at which code point `index` starts, or the size of the text.
std::size_t offset_of(std::string_view text, std::size_t index);

// The bytes of the code point that starts at `offset`; `text` is valid.
std::size_t size_at(std::string_view text, std::size_t offset);

// `value` is a code point and no surrogate.
void append(std::string& out, char32_t value);

constexpr bool is_code_point(char32_t value) {
    return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

}  // namespace millrace::expression::utf8
