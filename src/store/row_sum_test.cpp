#include "store/row_sum.hpp"

#include <gtest/gtest.h>

#include <set>

namespace millrace {
namespace {

RowSum sum_of(const std::vector<Cells>& rows) {
    RowSum sum;
    for (const Cells& row : rows) sum.add(row);
    return sum;
}

TEST(RowSumTest, TheOrderOfRowsDoesNotMatter) {
    const Cells first{Cell{std::int64_t{1}}, Cell{std::string("one")}};
    const Cells second{Cell{std::int64_t{2}}, Cell{}};
    EXPECT_EQ(sum_of({first, second}), sum_of({second, first}));
    EXPECT_EQ(sum_of({first, second}).rows, 2);
}

TEST(RowSumTest, EveryDifferenceOfARowShows) {
    const Instant moment{Duration{1}};
    const std::vector<Cells> rows{
        {},
        {Cell{}},
        {Cell{}, Cell{}},
        {Cell{std::int64_t{0}}},
        {Cell{std::int64_t{1}}},
        {Cell{std::int64_t{-1}}},
        {Cell{moment}},
        {Cell{Id128{0, 1}}},
        {Cell{Id128{1, 0}}},
        {Cell{std::string()}},
        {Cell{std::string("a")}},
        {Cell{std::string("a\0", 2)}},
        {Cell{std::string("ab")}},
        {Cell{std::string("a")}, Cell{std::string("b")}},
        {Cell{std::string("ab")}, Cell{std::string()}},
        {Cell{std::string("b")}, Cell{std::string("a")}},
    };
    std::set<std::uint64_t> checksums;
    for (const Cells& row : rows) checksums.insert(sum_of({row}).checksum);
    EXPECT_EQ(checksums.size(), rows.size());
}

TEST(RowSumTest, ARowThatIsMissingAndOneThatIsThereTwiceShow) {
    const Cells row{Cell{std::string("same")}};
    EXPECT_NE(sum_of({row, row}), sum_of({row}));
    EXPECT_NE(sum_of({row, row}).checksum, sum_of({}).checksum);
}

TEST(RowSumTest, AChecksumHasSixteenDigits) {
    EXPECT_EQ(checksum_text(0), "0000000000000000");
    EXPECT_EQ(checksum_text(0xFEDC'BA98'7654'3210), "fedcba9876543210");
}

}  // namespace
}  // namespace millrace
