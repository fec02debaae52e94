#include "store/postgres/copy_format.hpp"

#include <gtest/gtest.h>

#include <array>

namespace millrace::postgres {
namespace {

using enum CellType;

constexpr auto kColumns = std::to_array<CopiedColumn>({{"small", int32},
                                                       {"large", int64},
                                                       {"words", text},
                                                       {"raw", bytes},
                                                       {"id", id},
                                                       {"at", instant}});

const Cells kFull{Cell{std::int64_t{-7}},
                  Cell{std::int64_t{1} << 40},
                  Cell{std::string("über")},
                  Cell{std::string("\0\xFF", 2)},
                  Cell{Id128{0x0102'0304'0506'0708, 0x090A'0B0C'0D0E'0F10}},
                  Cell{Instant{Duration{946'684'800'000'001}}}};

std::string copy_of(const std::vector<Cells>& rows) {
    std::string out;
    append_copy_header(out);
    for (const Cells& row : rows) append_copy_row(out, kColumns, row);
    append_copy_trailer(out);
    return out;
}

TEST(CopyFormatTest, ARowIsWrittenAsTheServerExpectsIt) {
    std::string out;
    append_copy_row(out, kColumns, kFull);
    const auto expected = std::string_view(
        "\0\6"
        "\0\0\0\4\xFF\xFF\xFF\xF9"
        "\0\0\0\10\0\0\1\0\0\0\0\0"
        "\0\0\0\5\xC3\xBC"
        "ber"
        "\0\0\0\2\0\xFF"
        "\0\0\0\20\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20"
        "\0\0\0\10\0\0\0\0\0\0\0\1",
        2 + 8 + 12 + 9 + 6 + 20 + 12);
    EXPECT_EQ(out, expected) << "a time counts from the year 2000 there";
}

TEST(CopyFormatTest, RowsComeBackAsTheyWere) {
    const std::vector<Cells> rows{kFull, Cells(kColumns.size()), kFull};
    const std::string sent = copy_of(rows);
    CopyReader reader(kColumns);
    reader.add(sent);
    Cells row;
    for (const Cells& expected : rows) {
        const Result<bool> found = reader.next(row);
        ASSERT_TRUE(found && *found);
        EXPECT_EQ(row, expected);
    }
    const Result<bool> more = reader.next(row);
    ASSERT_TRUE(more);
    EXPECT_FALSE(*more);
}

TEST(CopyFormatTest, NoRowsAreNoRows) {
    const std::string sent = copy_of({});
    CopyReader reader(kColumns);
    reader.add(sent);
    Cells row;
    const Result<bool> found = reader.next(row);
    ASSERT_TRUE(found);
    EXPECT_FALSE(*found);
}

// Whole rows only end at the end: every shorter piece of a row is refused, and none crashes.
TEST(CopyFormatTest, ATornRowIsRefused) {
    std::string sent;
    append_copy_header(sent);
    const std::size_t header = sent.size();
    append_copy_row(sent, kColumns, kFull);
    for (std::size_t size = header + 1; size < sent.size(); ++size) {
        const std::string torn = sent.substr(0, size);
        CopyReader reader(kColumns);
        reader.add(torn);
        Cells row;
        EXPECT_FALSE(reader.next(row)) << size;
    }
}

TEST(CopyFormatTest, ARowOfAnotherShapeIsRefused) {
    std::string sent;
    append_copy_header(sent);
    append_copy_row(sent, std::span(kColumns).first(1), {Cell{std::int64_t{1}}});
    CopyReader reader{std::span(kColumns).subspan(1, 1)};
    reader.add(sent);
    Cells row;
    EXPECT_FALSE(reader.next(row)) << "four bytes where eight are due";
}

}  // namespace
}  // namespace millrace::postgres
