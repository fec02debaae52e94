#include "core/expression/stray_character.hpp"

#include <array>
#include <cstdio>
#include <string_view>

#include "core/expression/general_category.hpp"

namespace millrace::expression {
namespace {

std::string code_of(char32_t character) {
    std::array<char, 16> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "U+%04X", static_cast<unsigned>(character));
    return buffer.data();
}

// Those of the categories of quotes, and what looks like quotes in other categories.
bool is_quote(char32_t character, GeneralCategory category) {
    constexpr std::u32string_view kOthers =
        U"\u00B4\u201A\u201E\u2032\u2033"
        U"\u300C\u300D\u301D\u301E\u301F\uFF02\uFF07\uFF40";
    return category == GeneralCategory::pi || category == GeneralCategory::pf ||
           kOthers.find(character) != std::u32string_view::npos;
}

std::string_view advice(char32_t character) {
    constexpr char32_t kMinus = 0x2212;
    const GeneralCategory category = general_category(character);
    if (is_quote(character, category)) return " (strings stand in \" or ')";
    if (category == GeneralCategory::pd || character == kMinus) return " (the minus is -)";
    if (category == GeneralCategory::zs) return " (a space of another kind: write a plain one)";
    if (category == GeneralCategory::cf) return " (invisible: remove it)";
    if (is_mark(character) || is_decimal_digit(character)) return " (names begin with a letter)";
    return " (outside strings there are letters, digits and the signs of the language)";
}

}  // namespace

std::string describe_stray(char32_t character) {
    const std::string what = "unexpected character ";
    if (character > 0x20 && character < 0x7F) {
        return what + '"' + static_cast<char>(character) + '"';
    }
    if (character < 0x80) return what + code_of(character);
    return what + code_of(character) + std::string(advice(character));
}

}  // namespace millrace::expression
