#include "cli/table.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace millrace::cli {
namespace {

std::string printed(const std::vector<std::vector<std::string>>& rows) {
    std::ostringstream out;
    print_table(out, rows);
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

}  // namespace
}  // namespace millrace::cli
