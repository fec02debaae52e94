#include "core/access/api_key.hpp"

#include <algorithm>
#include <utility>

namespace millrace {

namespace {

constexpr std::array<std::pair<Role, std::string_view>, 4> kRoleNames{{
    {Role::viewer, "viewer"},
    {Role::worker, "worker"},
    {Role::operator_, "operator"},
    {Role::admin, "admin"},
}};

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

std::string_view to_string(Role role) {
    return std::ranges::find(kRoleNames, role, &decltype(kRoleNames)::value_type::first)->second;
}

std::optional<Role> parse_role(std::string_view text) {
    const auto found =
        std::ranges::find(kRoleNames, text, &decltype(kRoleNames)::value_type::second);
    if (found == kRoleNames.end()) return std::nullopt;
    return found->first;
}

std::string hash_text(const SecretHash& hash) {
    std::string text;
    text.reserve(2 * hash.size());
    for (const std::uint8_t byte : hash) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

std::optional<SecretHash> parse_hash_text(std::string_view text) {
    SecretHash hash{};
    if (text.size() != 2 * hash.size()) return std::nullopt;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t digit = kDigits.find(text[i]);
        if (digit == std::string_view::npos) return std::nullopt;
        hash[i / 2] = static_cast<std::uint8_t>(hash[i / 2] * 16U + digit);
    }
    return hash;
}

bool is_same_hash(const SecretHash& left, const SecretHash& right) {
    // Volatile: no compiler may leave the loop early.
    volatile std::uint8_t difference = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        difference = static_cast<std::uint8_t>(difference | (left[i] ^ right[i]));
    }
    return difference == 0;
}

bool is_good(const ApiKey& key, Instant now) {
    return !key.revoked_at && (!key.expires_at || now < *key.expires_at);
}

}  // namespace millrace
