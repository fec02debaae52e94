#include "cli/table.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace millrace::cli {
namespace {

std::string printed(const Rows& rows, bool is_coloured = false) {
    std::istringstream in;
    std::ostringstream out;
    print_table({in, out, out, false, false, is_coloured}, rows);
    return out.str();
}

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
    EXPECT_EQ(printed({{"STEP", "STATUS"}, {"check_stock", "COMPLETED"}, {"end", "SKIPPED"}}),
              "STEP         STATUS\n"
              "check_stock  COMPLETED\n"
              "end          SKIPPED\n");
}

TEST(Table, LinesDoNotEndInSpaces) {
    EXPECT_EQ(printed({{"a", "b"}, {"long", ""}}), "a     b\nlong\n");
}

TEST(Table, CharactersBeyondAsciiCountOnce) {
    EXPECT_EQ(printed({{"é", "x"}, {"ab", "y"}}), "é   x\nab  y\n");
}

TEST(Table, StatesAndHeadingsAreColouredWhenColoursAreWanted) {
    EXPECT_EQ(printed({{"A", "STATUS"}, {"bb", "FAILED"}, {"c", "other"}}, true),
              "\x1b[1mA\x1b[0m   \x1b[1mSTATUS\x1b[0m\n"
              "bb  \x1b[31mFAILED\x1b[0m\n"
              "c   other\n");
}

TEST(Table, CellsStayOnTheirLineAndCommandNoTerminal) {
    EXPECT_EQ(printed({{"A", "B"}, {"x\ny", "\x1b[2J"}}), "A     B\nx\\ny  \\u001b[2J\n");
    EXPECT_EQ(printed({{"A", "B"}, {"\u202etxt\u009b", "b"}, {"c", "\x7f"}}),
              "A                B\n\\u202etxt\\u009b  b\nc                \\u007f\n");
}

}  // namespace
}  // namespace millrace::cli
