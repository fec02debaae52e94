#include "cli/nearest_word.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "base/text.hpp"

namespace millrace::cli {
namespace {

// How many letters have to be added, removed or replaced.
std::size_t distance(const std::string& from, const std::string& to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string nearest_word(const std::string& given, const std::vector<std::string>& words) {
    const std::string typed = lower_case(given);
    std::string nearest;
    std::size_t fewest = std::max<std::size_t>(1, typed.size() / 3) + 1;
    for (const std::string& word : words) {
        const bool is_begun = typed.size() > 1 && word.starts_with(typed);
        const std::size_t changes = is_begun ? 0 : distance(typed, word);
        if (changes >= fewest) continue;
        fewest = changes;
        nearest = word;
    }
    return nearest;
}

}  // namespace millrace::cli
