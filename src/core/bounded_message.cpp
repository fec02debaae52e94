#include "core/bounded_message.hpp"

#include <algorithm>

#include "core/limits.hpp"

namespace millrace {

std::string bounded_message(std::string text) {
    std::ranges::replace(text, '\0', ' ');
    if (text.size() <= limits::kMessageBytesMax) return text;
    std::size_t end = limits::kMessageBytesMax;
    const auto is_inside_character = [&] {
        return (text[end] & '\xC0') == '\x80';
    };
    while (end > 0 && is_inside_character()) --end;
    text.resize(end);
    return text;
}

}  // namespace millrace
