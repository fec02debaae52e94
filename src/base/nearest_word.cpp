#include "base/nearest_word.hpp"

#include <algorithm>
#include <numeric>

#include "base/text.hpp"

namespace millrace {
namespace {

// Longer words are cut: nobody misspells one of ours at such length.
constexpr std::size_t kWordBytesMax = 64;

// How many letters have to be added, removed or replaced, or to change places with the next.
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> before(to.size() + 1);
    std::vector<std::size_t> last(to.size() + 1);
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        before.swap(last);
        last.swap(row);
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = last[j] + (from[i] == to[j] ? 0 : 1);
            row[j + 1] = std::min({replaced, row[j] + 1, last[j + 1] + 1});
            const bool is_swapped = i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j];
            if (is_swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
        }
    }
    return row.back();
}

std::string in_ticks(std::string_view word) {
    return "`" + std::string(word) + "`";
}

std::string listed(const std::vector<std::string_view>& words) {
    std::string text;
    for (const std::string_view word : words) {
        if (!text.empty()) text += ", ";
        text += in_ticks(word);
    }
    return text;
}

}  // namespace

std::string_view nearest_word(std::string_view given, const std::vector<std::string_view>& words) {
    const std::string typed = lower_case(std::string(given.substr(0, kWordBytesMax)));
    std::string_view nearest;
    std::size_t fewest = std::max<std::size_t>(1, typed.size() / 3) + 1;
    for (const std::string_view word : words) {
        const std::string known = lower_case(std::string(word));
        const bool is_begun = typed.size() > 1 && known.starts_with(typed);
        const std::size_t changes = is_begun ? 0 : distance(typed, known);
        if (changes >= fewest) continue;
        fewest = changes;
        nearest = word;
    }
    return nearest;
}

std::string shown_word(std::string_view word) {
    std::string shown(word.substr(0, kWordBytesMax));
    std::ranges::replace_if(
        shown, [](char c) { return c < 0x20 || c > 0x7E; }, '?');
    if (word.size() > kWordBytesMax) shown += "...";
    return shown;
}

std::string no_such_word(std::string_view kind, std::string_view given,
                         const std::vector<std::string_view>& words) {
    const std::string_view nearest = nearest_word(given, words);
    std::string text = "There is no " + std::string(kind) + " " + in_ticks(shown_word(given));
    if (!nearest.empty()) return text + "; did you mean " + in_ticks(nearest) + "?";
    if (words.empty()) return text + "; none is taken here.";
    return text + "; there is " + listed(words) + ".";
}

}  // namespace millrace
