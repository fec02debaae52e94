#include "store/storable_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace {
namespace {

using namespace std::string_view_literals;

struct Row {
    const char* name;
    std::string_view text;
    bool is_storable;
};

class StorableText : public testing::TestWithParam<Row> {};

TEST_P(StorableText, IsUtf8WithoutNul) {
    EXPECT_EQ(is_storable(GetParam().text), GetParam().is_storable);
}

TEST_P(StorableText, IsTheSameAtEveryOffset) {
    std::string padded;
    for (int n = 0; n < 9; ++n) {
        padded += 'a';
        EXPECT_EQ(is_storable(padded + std::string(GetParam().text)), GetParam().is_storable);
        EXPECT_EQ(is_storable(std::string(GetParam().text) + padded), GetParam().is_storable);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, StorableText,
    testing::Values(Row{"Empty", "", true}, Row{"Ascii", "charge-card", true},
                    Row{"Delete", "\x7F", true}, Row{"Umlaut", "Gr\xC3\xB6\xC3\x9F"sv, true},
                    Row{"Japanese", "\xE6\x97\xA5\xE6\x9C\xAC"sv, true},
                    Row{"Emoji", "\xF0\x9F\x9A\x80"sv, true},
                    Row{"LastCharacter", "\xF4\x8F\xBF\xBF"sv, true}, Row{"Nul", "a\0b"sv, false},
                    Row{"NulAlone", "\0"sv, false}, Row{"LoneContinuation", "\x80"sv, false},
                    Row{"Overlong", "\xC0\xAF"sv, false},
                    Row{"OverlongOfThree", "\xE0\x80\xAF"sv, false},
                    Row{"Surrogate", "\xED\xA0\x80"sv, false},
                    Row{"BeyondUnicode", "\xF4\x90\x80\x80"sv, false},
                    Row{"NoLead", "\xFF"sv, false}, Row{"CutShort", "\xF0\x9F\x9A"sv, false}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace millrace
