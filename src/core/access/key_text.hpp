#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace millrace {

inline constexpr std::size_t kKeyIdBytes = 12;      // 62 bits: no two keys meet.
inline constexpr std::size_t kKeySecretBytes = 43;  // 256 bits.

inline constexpr std::string_view kKeyIdAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
inline constexpr std::string_view kKeySecretAlphabet =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// A key as its owner holds it: mr_<id>_<secret>. The prefix lets scanners of other people's
// repositories recognise one that was published by mistake.
struct KeyText {
    std::string id{};
    std::string secret{};
};

std::string to_string(const KeyText& key);

// Empty when it is no key.
std::optional<KeyText> parse_key_text(std::string_view text);

}  // namespace millrace
