#include "core/expression/general_category.hpp"

#include <algorithm>
#include <array>

namespace millrace::expression {
namespace {

using enum GeneralCategory;

// In the order of the enumerators.
constexpr std::array<std::string_view, 30> kCategoryNames{
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe",
    "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn"};
static_assert(kCategoryNames.size() == static_cast<std::size_t>(cn) + 1);

bool is_one_of(CategoryMask mask, char32_t character) {
    return (mask & mask_of(general_category(character))) != 0;
}

}  // namespace

GeneralCategory general_category(char32_t character) {
    const auto rows = general_category_rows();
    const auto after = std::ranges::upper_bound(rows, character, {}, &CategoryRow::first);
    const CategoryRow& row = *std::prev(after);  // The first row holds from 0 on.
    return row.in_turn && (character - row.first) % 2 == 1 ? ll : row.category;
}

std::optional<CategoryMask> categories_named(std::string_view name) {
    CategoryMask mask = 0;
    for (std::size_t i = 0; i < kCategoryNames.size(); ++i) {
        const bool is_named =
            name == "Any" || name == kCategoryNames[i] || name == kCategoryNames[i].substr(0, 1);
        if (is_named) mask |= CategoryMask{1} << i;
    }
    return mask != 0 ? std::optional(mask) : std::nullopt;
}

bool is_letter(char32_t character) {
    constexpr CategoryMask kLetters =
        mask_of(lu) | mask_of(ll) | mask_of(lt) | mask_of(lm) | mask_of(lo);
    return is_one_of(kLetters, character);
}

bool is_mark(char32_t character) {
    constexpr CategoryMask kMarks = mask_of(mn) | mask_of(mc) | mask_of(me);
    return is_one_of(kMarks, character);
}

bool is_decimal_digit(char32_t character) {
    return general_category(character) == nd;
}

}  // namespace millrace::expression
