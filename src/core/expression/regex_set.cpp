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
void add_cases(Regex::Set& out, char32_t first, char32_t last) {
    constexpr char32_t kAlphabet = 128;
    for (char32_t letter = first; letter <= last && letter - first < kAlphabet; ++letter) {
        const char32_t upper = to_upper(letter);
        const char32_t lower = to_lower(letter);
        if (upper != letter) out.emplace_back(upper, upper);
        if (lower != letter) out.emplace_back(lower, lower);
    }
}

}  // namespace

Regex::Set normalized(Regex::Set set) {
    std::ranges::sort(set);
    Regex::Set joined;
    for (const auto& [first, last] : set) {
        if (!joined.empty() && first <= joined.back().second + 1) {
            joined.back().second = std::max(joined.back().second, last);
        } else {
            joined.emplace_back(first, last);
        }
    }
    return joined;
}

Regex::Set inverted(const Regex::Set& set) {
    Regex::Set rest;
    char32_t next = 0;
    for (const auto& [first, last] : set) {
        if (first > next) rest.emplace_back(next, first - 1);
        next = last + 1;
    }
    if (next <= kLast) rest.emplace_back(next, kLast);
    return rest;
}

Regex::Set without_case(const Regex::Set& set) {
    Regex::Set both = set;
    for (const auto& [first, last] : set) add_cases(both, first, last);
    return normalized(std::move(both));
}

std::optional<Regex::Set> set_of_escape(char letter) {
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

std::optional<Regex::Set> set_of_class(std::string_view name) {
    const auto row = std::ranges::find(kClasses, name, &NamedSet::name);
    if (row == kClasses.end()) return std::nullopt;
    Regex::Set set;
    for (const auto& range : row->ranges) {
        if (range != kEnd) set.push_back(range);
    }
    return set;
}

bool contains(const Regex::Set& set, char32_t character) {
    const auto after =
        std::ranges::upper_bound(set, character, {}, &std::pair<char32_t, char32_t>::first);
    return after != set.begin() && character <= std::prev(after)->second;
}

bool is_word_character(char32_t c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
}

}  // namespace millrace::expression
