#include "api/rest/cursor.hpp"

#include <algorithm>
#include <cstdint>

#include "core/expression/base64.hpp"

namespace millrace::rest {

namespace {

constexpr std::size_t kCheckBytes = 2;

// Enough to notice a cursor that somebody made up, cut, or took from another list: it need not
// withstand an attack, for a cursor shows nothing that its bearer could not list from the
// beginning.
std::string check_of(std::string_view list, std::string_view place) {
    std::uint32_t hash = 0x811C9DC5;  // FNV-1a.
    for (const std::string_view text : {list, std::string_view(":"), place}) {
        for (const char letter : text) {
            hash = (hash ^ static_cast<unsigned char>(letter)) * 0x01000193;
        }
    }
    return {static_cast<char>(hash >> 24), static_cast<char>(hash >> 16)};
}

}  // namespace

// The URL-safe alphabet of base 64, without padding.

std::string to_cursor(std::string_view list, std::string_view place) {
    std::string text = expression::to_base64(check_of(list, place) + std::string(place));
    text.erase(std::min(text.find('='), text.size()));
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    return text;
}

std::optional<std::string> from_cursor(std::string_view list, std::string_view cursor) {
    std::string text(cursor);
    std::ranges::replace(text, '-', '+');
    std::ranges::replace(text, '_', '/');
    while (text.size() % 4 != 0) text += '=';
    const std::optional<std::string> bytes = expression::from_base64(text);
    if (!bytes || bytes->size() <= kCheckBytes) return std::nullopt;
    std::string place = bytes->substr(kCheckBytes);
    if (to_cursor(list, place) != cursor) return std::nullopt;
    return place;
}

}  // namespace millrace::rest
