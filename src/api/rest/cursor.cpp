#include "api/rest/cursor.hpp"

#include <algorithm>

#include "core/expression/base64.hpp"

namespace millrace::rest {

// The URL-safe alphabet of base 64, without padding.

std::string to_cursor(std::string_view place) {
    std::string text = expression::to_base64(place);
    text.erase(std::min(text.find('='), text.size()));
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    return text;
}

std::optional<std::string> from_cursor(std::string_view cursor) {
    std::string text(cursor);
    std::ranges::replace(text, '-', '+');
    std::ranges::replace(text, '_', '/');
    while (text.size() % 4 != 0) text += '=';
    std::optional<std::string> place = expression::from_base64(text);
    if (!place || place->empty() || to_cursor(*place) != cursor) return std::nullopt;
    return place;
}

}  // namespace millrace::rest
