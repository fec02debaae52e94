#include "cli/terminal_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace millrace::cli {
namespace {

std::string streamed(const std::vector<std::string>& pieces, OwnSequences own = {}) {
    std::ostringstream target;
    {
        TerminalStream stream(target, own);
        for (const std::string& piece : pieces) stream << piece;
    }
    return target.str();
}

TEST(TerminalText, CommandsNoTerminal) {
    struct Row {
        std::string text;
        std::string expected;
    };
    for (const Row& row : {
             Row{"plain\ttext\n", "plain\ttext\n"},
             Row{"größer 日本語 \U0001F600", "größer 日本語 \U0001F600"},
             Row{"\x1b[2J", "\\u001b[2J"},
             Row{"a\x07"
                 "b\x7f",
                 "a\\u0007b\\u007f"},
             Row{std::string("a\0b", 3), "a\\u0000b"},
             Row{"\u0080 \u009b31m \u009f \u00a0", "\\u0080 \\u009b31m \\u009f \u00a0"},
             Row{"\u061c\u200e\u200f", "\\u061c\\u200e\\u200f"},
             Row{"\u202a\u202e\u2066\u2069\u2028", "\\u202a\\u202e\\u2066\\u2069\\u2028"},
             Row{"\u200d\u202f\u2065", "\u200d\u202f\u2065"},
             Row{"one\rtwo", "one\\u000dtwo"},
             Row{"one\r\ntwo", "one\r\ntwo"},
             Row{"\x9b"
                 "31m\xff",
                 "\\x9b31m\\xff"},
             Row{"cut \xe2\x80", "cut \\xe2\\x80"},
             Row{"\x1b[31mred\x1b[0m", "\\u001b[31mred\\u001b[0m"},
         }) {
        EXPECT_EQ(terminal_text(row.text), row.expected);
        EXPECT_EQ(streamed({row.text}), row.expected);
        std::vector<std::string> letters;
        for (const char letter : row.text) letters.emplace_back(1, letter);
        EXPECT_EQ(streamed(letters), row.expected) << "In pieces.";
    }
}

TEST(TerminalText, OnlySequencesOfOurOwnPass) {
    const std::string colours = "\x1b[1mA\x1b[0m \x1b[31mB\x1b[0m";
    EXPECT_EQ(streamed({colours}, {.colours = true}), colours);
    EXPECT_EQ(streamed({"\x1b[5mblinks"}, {.colours = true}), "\\u001b[5mblinks");
    EXPECT_EQ(streamed({"\r\x1b[K", "1 of 2"}, {.progress = true}), "\r\x1b[K1 of 2");
    EXPECT_EQ(streamed({"\r\x1b[K"}, {.colours = true}), "\\u000d\\u001b[K");
    EXPECT_EQ(streamed({"\r"}, {.progress = true}), "\\u000d");
}

class FullTarget final : public std::streambuf {};

TEST(TerminalText, TellsOfATargetThatIsFull) {
    FullTarget full;
    std::ostream target(&full);
    TerminalStream stream(target, {});
    stream << "text" << std::flush;
    EXPECT_FALSE(stream);
}

}  // namespace
}  // namespace millrace::cli
