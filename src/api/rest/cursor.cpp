#include "api/rest/cursor.hpp"

#include <algorithm>

#include "core/expression/base64.hpp"

namespace millrace::rest {

// Base 64 with the letters for URLs (RFC 4648, 5), without padding.
std::string cursor_of(std::string_view place) {
    std::string text = expression::to_base64(place);
    text.erase(text.find_last_not_of('=') + 1);
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    return text;
}

Result<std::string> place_in_cursor(std::string_view cursor) {
    std::string text(cursor);
    std::ranges::replace(text, '-', '+');
    std::ranges::replace(text, '_', '/');
    text.append((4 - text.size() % 4) % 4, '=');
    const std::optional<std::string> place = expression::from_base64(text);
    if (!place || place->empty()) return cursor_error();
    return *place;
}

Error cursor_error() {
    const std::string reason = "cursor is not one that this server gave out";
    return {ErrorCode::invalid_argument, reason, {{"cursor", reason}}};
}

}  // namespace millrace::rest
