#include "core/expression/general_category.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace millrace::expression {
namespace {

using enum GeneralCategory;

TEST(GeneralCategory, KnowsTheCharacter) {
    struct Row {
        char32_t character = 0;
        GeneralCategory category = cn;
    };
    for (const Row& row : std::vector<Row>{
             {U'\0', cc},  {U' ', zs},    {U'a', ll},     {U'Z', lu},     {U'0', nd},
             {U'_', pc},   {U'-', pd},    {U'"', po},     {U'+', sm},     {U'$', sc},
             {U'^', sk},   {0x00A0, zs},  {0x00AB, pi},   {0x00AD, cf},   {U'ü', ll},
             {0x0100, lu}, {0x0101, ll},  {0x012F, ll},   {0x01C5, lt},   {0x02BC, lm},
             {0x0301, mn}, {U'и', ll},    {0x0488, me},   {0x0903, mc},   {0x0905, lo},
             {0x0966, nd}, {0x2009, zs},  {0x200B, cf},   {0x2014, pd},   {0x201C, pi},
             {0x201D, pf}, {0x201E, ps},  {0x2028, zl},   {0x2029, zp},   {0x2160, nl},
             {0x2212, sm}, {U'量', lo},   {0xD800, cs},   {0xE000, co},   {0xFEFF, cf},
             {0xFFFF, cn}, {0x1F600, so}, {0x10FFFD, co}, {0x10FFFF, cn}, {0xBD, no},
             {0xA9, so},   {U'(', ps},    {U')', pe},     {0x1D7CE, nd},  {0x1E921, lu}}) {
        EXPECT_EQ(general_category(row.character), row.category) << std::hex << +row.character;
    }
}

TEST(GeneralCategory, HasATableInOrder) {
    const auto rows = general_category_rows();
    EXPECT_EQ(rows.front().first, 0u);
    for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i - 1].first, rows[i].first) << i;
}

TEST(GeneralCategory, FindsCategoriesByName) {
    EXPECT_EQ(categories_named("Lu"), mask_of(lu));
    EXPECT_EQ(categories_named("M"), mask_of(mn) | mask_of(mc) | mask_of(me));
    EXPECT_EQ(categories_named("Any"), (CategoryMask{1} << 30U) - 1);
    for (const auto* name : {"", "l", "LU", "Lx", "X", "Greek", "^L"}) {
        EXPECT_FALSE(categories_named(name)) << name;
    }
}

}  // namespace
}  // namespace millrace::expression
