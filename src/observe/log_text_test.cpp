#include "observe/log_text.hpp"

#include <gtest/gtest.h>

namespace millrace::observe {
namespace {

struct Row {
    std::string_view given;
    std::string_view quoted;
    std::string_view readable;
};

TEST(LogText, IsOneLineOfUtf8WithoutCommands) {
    for (const Row& row : {
             Row{"", R"("")", ""},
             Row{"a \"b\" \\ <c>", R"("a \"b\" \\ <c>")", R"(a "b" \ <c>)"},
             Row{"a\nb\r\tc", R"("a\nb\r\tc")", R"(a\nb\r\tc)"},
             Row{std::string_view("\0x", 2), R"("\u0000x")", R"(\u0000x)"},
             Row{"\x1b[31m\x7f", R"("\u001b[31m\u007f")", R"(\u001b[31m\u007f)"},
             Row{"\xC2\x9B\xC2\xA0", "\"\\u009b\xC2\xA0\"", "\\u009b\xC2\xA0"},
             Row{"\u2028\u2029", R"("\u2028\u2029")", R"(\u2028\u2029)"},
             Row{"é€😀", "\"é€😀\"", "é€😀"},
             Row{"a\xFF"
                 "b\xC3",
                 "\"a\xEF\xBF\xBD"
                 "b\xEF\xBF\xBD\"",
                 "a\xEF\xBF\xBD"
                 "b\xEF\xBF\xBD"},
             Row{"\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"", "\xEF\xBF\xBD\xEF\xBF\xBD"},
             Row{"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"",
                 "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
         }) {
        std::string quoted;
        append_quoted(quoted, row.given);
        EXPECT_EQ(quoted, row.quoted);
        std::string readable;
        append_readable(readable, row.given);
        EXPECT_EQ(readable, row.readable);
    }
}

}  // namespace
}  // namespace millrace::observe
