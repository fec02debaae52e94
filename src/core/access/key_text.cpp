#include "core/access/key_text.hpp"

#include <algorithm>

namespace millrace {

namespace {

constexpr std::string_view kPrefix = "mr_";

bool consists_of(std::string_view text, std::string_view alphabet) {
    return text.find_first_not_of(alphabet) == std::string_view::npos;
}

}  // namespace

std::string to_string(const KeyText& key) {
    return std::string(kPrefix) + key.id + "_" + key.secret;
}

std::optional<KeyText> parse_key_text(std::string_view text) {
    if (text.size() != kPrefix.size() + kKeyIdBytes + 1 + kKeySecretBytes) return std::nullopt;
    const std::string_view id = text.substr(kPrefix.size(), kKeyIdBytes);
    const std::string_view secret = text.substr(text.size() - kKeySecretBytes);
    const bool is_sound = text.starts_with(kPrefix) && text[kPrefix.size() + kKeyIdBytes] == '_' &&
                          consists_of(id, kKeyIdAlphabet) &&
                          consists_of(secret, kKeySecretAlphabet);
    if (!is_sound) return std::nullopt;
    return KeyText{.id = std::string(id), .secret = std::string(secret)};
}

}  // namespace millrace
