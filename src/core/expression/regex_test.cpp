#include "core/expression/regex.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "core/expression/utf8.hpp"

namespace millrace::expression {
namespace {

bool is_match(const Regex& regex, std::string_view text) {
    WorkMeter meter;
    return regex.matches(text, meter).value();
}

struct Row {
    std::string pattern;
    std::string text;
    bool matches = true;
};

TEST(Regex, MatchesAnywhereInTheText) {
    const std::vector<Row> rows{
        {"", ""},
        {"", "abc"},
        {"b", "abc"},
        {"d", "abc", false},
        {"^abc$", "abc"},
        {"^b", "abc", false},
        {"b$", "abc", false},
        {"a.c", "abc"},
        {"a.c", "a\nc", false},
        {"(?s)a.c", "a\nc"},
        {"h.llo", "héllo"},
        {"^.{5}$", "héllo"},
        {"[a-c]+", "xxb"},
        {"^[^a-c]+$", "xyz"},
        {"^[^a-c]+$", "xaz", false},
        {"[]a]", "]"},
        {"[a-]", "-"},
        {"[\\d_]", "_"},
        {"[[:alpha:]]", "1a"},
        {"^[[:^digit:]]$", "1", false},
        {"[é-ü]", "ö"},
        {"\\d+", "a1"},
        {"^\\D$", "1", false},
        {"\\w\\W\\s\\S", "a- b"},
        {"\\bcat\\b", "a cat!"},
        {"\\bcat\\b", "concat", false},
        {"\\Bcat", "concat"},
        {"\\Aa\\z", "a"},
        {"a|b|c", "c"},
        {"^(a|b)c$", "bc"},
        {"^(?:ab)+$", "abab"},
        {"^(?P<name>ab)$", "ab"},
        {"^a*$", ""},
        {"^a+$", "", false},
        {"^ab?c$", "ac"},
        {"^a{3}$", "aaa"},
        {"^a{3}$", "aa", false},
        {"^a{2,}$", "aaaa"},
        {"^a{1,2}$", "aaa", false},
        {"^a{0}b$", "b"},
        {"a{,2}", "a{,2}"},
        {"a{x", "a{x"},
        {"^a*?b+?c??$", "aabb"},
        {"(?i)HÉLLO", "héllo"},
        {"(?i:H)ello", "hello"},
        {"(?i:H)ello", "hELLO", false},
        {"(?i)[a-c]", "B"},
        {"(?i)(?-i)A", "a", false},
        {"(?m)^b$", "a\nb\nc"},
        {"^b$", "a\nb\nc", false},
        {"\\.\\*\\\\", ".*\\"},
        {"\\x41\\x{1F600}", "A😀"},
        {"\\t\\n", "\t\n"},
        {"^\\pL+$", "Zürich数量имя"},
        {"^\\pL+$", "a1", false},
        {"^\\p{L}+$", "हिन्दी", false},
        {"^[\\p{L}\\p{M}]+$", "हिन्दी"},
        {"^\\p{Lu}\\p{Ll}+$", "Ärger"},
        {"^\\p{Lu}\\p{Ll}+$", "ärger", false},
        {"(?i)^\\p{Lu}+$", "ärger"},
        {"^\\P{L}+$", "12-3"},
        {"^\\P{L}+$", "12x3", false},
        {"^\\PL$", "é", false},
        {"^\\p{^L}$", "é", false},
        {"^\\P{^L}$", "é"},
        {"^[^\\pL\\d]+$", "-+ €"},
        {"^[^\\pL\\d]+$", "- é", false},
        {"^[\\PL]$", "é", false},
        {"^[\\PLé]$", "é"},
        {"^\\p{Nd}+$", "0９٣"},
        {"^\\p{Sc}\\d+$", "€12"},
        {"^\\p{Zs}$", "\u00a0"},
        {"^\\pP$", "“"},
        {"^\\p{Any}$", "😀"},
        {"^\\p{Lu}$", "Ā"},
        {"^\\p{Lu}$", "ā", false},
        {"^\\Qa.b*\\E$", "a.b*"},
        {"^\\Qa.b*\\E$", "axb*", false},
        {"^\\Qa|(b\\E+$", "a|(bbb"},
        {"\\Q[", "a[b"},
        {"^\\Q\\d\\E$", "\\d"},
        {"^a\\Q\\Eb$", "ab"},
        {"(?i)^\\Qgrün.\\E$", "GRÜN."},
        {"(a*)*b", "aaab"},
        {"(|a)+b", "ab"},
        {"^(([a-z])+.)+[A-Z]([a-z])+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         false},
    };
    for (const Row& row : rows) {
        const auto regex = Regex::compile(row.pattern);
        ASSERT_TRUE(regex) << row.pattern << ": " << regex.error().detail;
        EXPECT_EQ(is_match(*regex, row.text), row.matches) << row.pattern << " on " << row.text;
    }
}

TEST(Regex, RefusesBadPatterns) {
    for (const std::string pattern : {"(",
                                      ")",
                                      "a)",
                                      "[",
                                      "[a",
                                      "[b-a]",
                                      "*",
                                      "a**",
                                      "a{3}{2}",
                                      "a{2,1}",
                                      "a{1001}",
                                      "a{1,1001}",
                                      "a{99999999999}",
                                      "\\",
                                      "\\q",
                                      "\\1",
                                      "\\E",
                                      "[\\Qa]",
                                      "\\p",
                                      "\\p{L",
                                      "\\p{}",
                                      "\\p{Greek}",
                                      "\\pX",
                                      "[\\p{Lx}]",
                                      "\\x4",
                                      "\\x{110000}",
                                      "[\\q]",
                                      "(?",
                                      "(?q)",
                                      "(?<=a)",
                                      "(?=a)",
                                      "[[:nope:]]",
                                      "(?P<a",
                                      "((a{100}){100}){100}"}) {
        const auto regex = Regex::compile(pattern);
        ASSERT_FALSE(regex) << pattern;
        EXPECT_EQ(regex.error().code, ErrorCode::invalid_argument);
    }
}

TEST(Regex, TakesTimeInProportionToTheText) {
    const auto regex = Regex::compile("(a|aa)*(a|aa)*(a|aa)*b");
    ASSERT_TRUE(regex);
    EXPECT_GE(regex->cost(std::string(2'000, 'a')), 2 * regex->cost(std::string(900, 'a')));
    WorkMeter half;
    EXPECT_EQ(regex->matches(std::string(5'000, 'a'), half), false);
    WorkMeter whole;
    EXPECT_EQ(regex->matches(std::string(10'000, 'a'), whole), false);
    EXPECT_NEAR(static_cast<double>(whole.total()), 2.0 * static_cast<double>(half.total()), 100);
    WorkMeter too_little(half.total());
    EXPECT_EQ(regex->matches(std::string(10'000, 'a'), too_little), std::nullopt);
}

// A set that is repeated is held once, however often.
TEST(Regex, HoldsARepeatedSetOnce) {
    std::string set = "[";
    for (char32_t letter = 0x4E00; letter < 0x4E00 + 10'000; letter += 2) {
        utf8::append(set, letter);
    }
    set += "]";
    const auto once = Regex::compile(set);
    const auto often = Regex::compile("(?:" + set + "{990}){2}");
    ASSERT_TRUE(once && often);
    EXPECT_GE(once->bytes(), 40'000U);
    EXPECT_LE(often->bytes(), once->bytes() + 30'000);
    std::string text;
    for (int i = 0; i < 1'980; ++i) utf8::append(text, 0x4E02);
    WorkMeter meter(100'000'000);
    EXPECT_EQ(often->matches(text, meter), true);
    EXPECT_EQ(often->matches(text.substr(3), meter), false);
}

RC_GTEST_PROP(Regex, NeverCrashesOnRandomPatterns, ()) {
    const auto pattern = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("ab.*+?()[]{}|^$\\dwsbx-,:1<PpLQE")));
    const auto regex = Regex::compile(pattern);
    if (!regex) {
        RC_ASSERT(!regex.error().detail.empty());
        return;
    }
    const bool once = is_match(*regex, "ab 1\nba");
    RC_ASSERT(once == is_match(*regex, "ab 1\nba"));
}

}  // namespace
}  // namespace millrace::expression
