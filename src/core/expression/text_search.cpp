#include "core/expression/text_search.hpp"

#include <vector>

namespace millrace::expression {
namespace {

// Up to here the library's own search is faster, and bounded well enough.
constexpr std::size_t kShortPattern = 16;

// For each length of a match the length of its longest proper prefix that is also its end.
std::vector<std::size_t> borders(std::string_view pattern) {
    std::vector<std::size_t> result(pattern.size(), 0);
    for (std::size_t i = 1, border = 0; i < pattern.size(); ++i) {
        while (border > 0 && pattern[i] != pattern[border]) border = result[border - 1];
        if (pattern[i] == pattern[border]) ++border;
        result[i] = border;
    }
    return result;
}

// Knuth, Morris and Pratt; calls `found` with the start of each match until it says false.
template <class Found>
void search(std::string_view text, std::string_view pattern, std::size_t from, Found found) {
    const std::vector<std::size_t> border = borders(pattern);
    for (std::size_t i = from, matched = 0; i < text.size(); ++i) {
        while (matched > 0 && text[i] != pattern[matched]) matched = border[matched - 1];
        if (text[i] == pattern[matched]) ++matched;
        if (matched == pattern.size()) {
            if (!found(i + 1 - matched)) return;
            matched = border[matched - 1];
        }
    }
}

}  // namespace

std::size_t find_text(std::string_view text, std::string_view pattern, std::size_t from) {
    if (pattern.size() <= kShortPattern) return text.find(pattern, from);
    std::size_t first = std::string_view::npos;
    search(text, pattern, from, [&](std::size_t at) {
        first = at;
        return false;
    });
    return first;
}

std::size_t find_last_text(std::string_view text, std::string_view pattern) {
    if (pattern.size() <= kShortPattern) return text.rfind(pattern);
    std::size_t last = std::string_view::npos;
    search(text, pattern, 0, [&](std::size_t at) {
        last = at;
        return true;
    });
    return last;
}

}  // namespace millrace::expression
