#include "core/expression/regex_set.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/expression/letter_case.hpp"

namespace millrace::expression {
namespace {

constexpr char32_t kLast = 0x10FFFF;

struct NamedSet {
    std::string_view name{};
    std::array<std::pair<char32_t, char32_t>, 4> ranges{};  // Ends with an empty one, {1, 0}.
};

constexpr std::pair<char32_t, char32_t> kEnd{1, 0};

constexpr std::array<NamedSet, 12> kClasses{{
    {"alnum", {{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, kEnd}}},
    {"alpha", {{{'A', 'Z'}, {'a', 'z'}, kEnd, kEnd}}},
    {"ascii", {{{0, 0x7F}, kEnd, kEnd, kEnd}}},
    {"blank", {{{'\t', '\t'}, {' ', ' '}, kEnd, kEnd}}},
    {"cntrl", {{{0, 0x1F}, {0x7F, 0x7F}, kEnd, kEnd}}},
    {"digit", {{{'0', '9'}, kEnd, kEnd, kEnd}}},
    {"lower", {{{'a', 'z'}, kEnd, kEnd, kEnd}}},
    {"punct", {{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}}},
    {"space", {{{'\t', '\r'}, {' ', ' '}, kEnd, kEnd}}},
    {"upper", {{{'A', 'Z'}, kEnd, kEnd, kEnd}}},
    {"word", {{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}}},
    {"xdigit", {{{'0', '9'}, {'A', 'F'}, {'a', 'f'}, kEnd}}},
}};

// Both cases of the letters of one range. Only small ranges are asked letter by letter; a large one
// that is no alphabet has both cases in it already.
void add_cases(Regex::Ranges& out, char32_t first, char32_t last) {
    constexpr char32_t kAlphabet = 128;
    for (char32_t letter = first; letter <= last && letter - first < kAlphabet; ++letter) {
        const char32_t upper = to_upper(letter);
        const char32_t lower = to_lower(letter);
        if (upper != letter) out.emplace_back(upper, upper);
        if (lower != letter) out.emplace_back(lower, lower);
    }
}

}  // namespace

Regex::Ranges normalized(Regex::Ranges ranges) {
    std::ranges::sort(ranges);
    Regex::Ranges joined;
    for (const auto& [first, last] : ranges) {
        if (!joined.empty() && first <= joined.back().second + 1) {
            joined.back().second = std::max(joined.back().second, last);
        } else {
            joined.emplace_back(first, last);
        }
    }
    return joined;
}

Regex::Ranges inverted(const Regex::Ranges& ranges) {
    Regex::Ranges rest;
    char32_t next = 0;
    for (const auto& [first, last] : ranges) {
        if (first > next) rest.emplace_back(next, first - 1);
        next = last + 1;
    }
    if (next <= kLast) rest.emplace_back(next, kLast);
    return rest;
}

Regex::Ranges without_case(const Regex::Ranges& ranges) {
    Regex::Ranges both = ranges;
    for (const auto& [first, last] : ranges) add_cases(both, first, last);
    return normalized(std::move(both));
}

std::optional<Regex::Ranges> set_of_escape(char letter) {
    switch (letter) {
        case 'd': return set_of_class("digit");
        case 'w': return set_of_class("word");
        case 's': return normalized({{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}});
        case 'D': return inverted(*set_of_escape('d'));
        case 'W': return inverted(*set_of_escape('w'));
        case 'S': return inverted(*set_of_escape('s'));
        default: return std::nullopt;
    }
}

std::optional<Regex::Ranges> set_of_class(std::string_view name) {
    const auto row = std::ranges::find(kClasses, name, &NamedSet::name);
    if (row == kClasses.end()) return std::nullopt;
    Regex::Ranges set;
    for (const auto& range : row->ranges) {
        if (range != kEnd) set.push_back(range);
    }
    return set;
}

std::optional<CategoryMask> categories_of_escape(std::string_view name, bool is_inverted) {
    if (name.starts_with('^')) {
        name.remove_prefix(1);
        is_inverted = !is_inverted;
    }
    const auto mask = categories_named(name);
    if (!mask) return std::nullopt;
    return is_inverted ? *categories_named("Any") & ~*mask : *mask;
}

Regex::Set without_case(const Regex::Set& set) {
    constexpr CategoryMask kCased =
        mask_of(GeneralCategory::lu) | mask_of(GeneralCategory::ll) | mask_of(GeneralCategory::lt);
    Regex::Set both{.ranges = without_case(set.ranges), .categories = set.categories};
    if ((set.categories & kCased) != 0) both.categories |= kCased;
    return both;
}

bool contains(const Regex::Set& set, char32_t character, CategoryMask category) {
    const auto after =
        std::ranges::upper_bound(set.ranges, character, {}, &std::pair<char32_t, char32_t>::first);
    const bool is_in = (after != set.ranges.begin() && character <= std::prev(after)->second) ||
                       (set.categories & category) != 0;
    return is_in != set.is_inverted;
}

bool is_word_character(char32_t c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
}

}  // namespace millrace::expression
