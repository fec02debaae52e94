#include "queue/kept_message.hpp"

#include <algorithm>

#include "core/limits.hpp"
#include "store/storable_text.hpp"

namespace millrace {

std::string kept_message(std::string text) {
    std::ranges::replace(text, '\0', ' ');
    if (!is_storable(text)) return "The executor's message is no text.";
    if (text.size() <= limits::kMessageBytesMax) return text;
    std::size_t end = limits::kMessageBytesMax;
    while (end > 0 && (text[end] & '\xC0') == '\x80') --end;
    text.resize(end);
    return text;
}

}  // namespace millrace
