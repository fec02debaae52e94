#include "cli/text_diff.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace millrace::cli {
namespace {

using Lines = std::vector<std::string>;

TEST(TextDiff, IsEmptyForTheSameText) {
    EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n"), Lines{});
    EXPECT_EQ(unified_diff("", ""), Lines{});
}

TEST(TextDiff, ShowsChangesWithThreeLinesAround) {
    EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
              (Lines{"@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+x", " 6", " 7", " 8"}));
}

TEST(TextDiff, ShowsWhatCameAndWent) {
    EXPECT_EQ(unified_diff("", "a\nb\n"), (Lines{"@@ -0,0 +1,2 @@", "+a", "+b"}));
    EXPECT_EQ(unified_diff("a\nb\n", ""), (Lines{"@@ -1,2 +0,0 @@", "-a", "-b"}));
    EXPECT_EQ(unified_diff("a\nc\n", "a\nb\nc\n"), (Lines{"@@ -1,2 +1,3 @@", " a", "+b", " c"}));
}

TEST(TextDiff, KeepsFarChangesApart) {
    std::string from;
    std::string to;
    for (int i = 0; i < 30; ++i) {
        from += std::to_string(i) + "\n";
        to += (i == 2 || i == 25 ? "x" : std::to_string(i)) + "\n";
    }
    const Lines lines = unified_diff(from, to);
    EXPECT_EQ(lines.front(), "@@ -1,6 +1,6 @@");
    EXPECT_EQ(std::ranges::count_if(lines, [](const auto& line) { return line[0] == '@'; }), 2);
    EXPECT_EQ(lines.size(), 1u + 7 + 1 + 8);
}

// Applies a difference with all lines as context: what it leads to must be the other text.
std::string side(const Lines& lines, char mark) {
    std::string text;
    for (const std::string& line : lines) {
        if (line[0] == ' ' || line[0] == mark) text += line.substr(1) + "\n";
    }
    return text;
}

TEST(TextDiff, LeadsFromOneTextToTheOther) {
    std::mt19937 dice(7);
    for (int round = 0; round < 300; ++round) {
        std::string from;
        std::string to;
        for (int i = 0; i < 5; ++i) {
            if (dice() % 3 != 0) from += std::string(1, static_cast<char>('a' + dice() % 3)) + "\n";
            if (dice() % 3 != 0) to += std::string(1, static_cast<char>('a' + dice() % 3)) + "\n";
        }
        const Lines lines = unified_diff(from, to);
        if (from == to) {
            EXPECT_EQ(lines, Lines{});
            continue;
        }
        // Texts of five lines fit into one group, context and all.
        EXPECT_EQ(side(lines, '-'), from) << from << "->" << to;
        EXPECT_EQ(side(lines, '+'), to) << from << "->" << to;
    }
}

}  // namespace
}  // namespace millrace::cli
