#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace millrace::expression {

// What kind of character it is, by the two letters of the Unicode standard. The same on every
// machine, unlike the locale's.
enum class GeneralCategory : std::uint8_t {
    lu,  // Upper case letter.
    ll,  // Lower case letter.
    lt,  // Title case letter.
    lm,  // Modifier letter.
    lo,  // Other letter.
    mn,  // Mark without width.
    mc,  // Mark with width.
    me,  // Enclosing mark.
    nd,  // Decimal digit.
    nl,  // Number that is a letter.
    no,  // Other number.
    pc,  // Connecting punctuation.
    pd,  // Dash.
    ps,  // Opening bracket.
    pe,  // Closing bracket.
    pi,  // Opening quote.
    pf,  // Closing quote.
    po,  // Other punctuation.
    sm,  // Sign of mathematics.
    sc,  // Sign of money.
    sk,  // Modifier sign.
    so,  // Other symbol.
    zs,  // Space.
    zl,  // Line separator.
    zp,  // Paragraph separator.
    cc,  // Control character.
    cf,  // Format character.
    cs,  // Surrogate.
    co,  // Private use.
    cn,  // Not assigned.
};

GeneralCategory general_category(char32_t character);

// A set of categories, one bit for each.
using CategoryMask = std::uint32_t;

constexpr CategoryMask mask_of(GeneralCategory category) {
    return CategoryMask{1} << static_cast<unsigned>(category);
}

// Of `Lu`, of `L` for all kinds of letters, of `Any`; nothing for other names.
std::optional<CategoryMask> categories_named(std::string_view name);

bool is_letter(char32_t character);
bool is_mark(char32_t character);
bool is_decimal_digit(char32_t character);

// The table behind it, sorted; each row holds up to the next one. Where upper and lower case take
// turns, `category` is that of the first character.
struct CategoryRow {
    char32_t first = 0;
    GeneralCategory category = GeneralCategory::cn;
    bool in_turn = false;
};
std::span<const CategoryRow> general_category_rows();

}  // namespace millrace::expression
