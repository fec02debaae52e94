#include "core/expression/text_search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace millrace::expression {
namespace {

std::size_t found_in(std::string_view text, std::string_view pattern, std::size_t from = 0) {
    WorkMeter meter;
    return find_text(text, pattern, from, meter).value();
}

std::size_t found_last_in(std::string_view text, std::string_view pattern) {
    WorkMeter meter;
    return find_last_text(text, pattern, meter).value();
}

// A text of two letters has many near misses.
rc::Gen<std::string> two_letters() {
    return rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab")));
}

RC_GTEST_PROP(TextSearch, FindsWhatTheLibraryFinds, ()) {
    const std::string pattern = *two_letters();
    const std::string text =
        *two_letters() + *rc::gen::element(pattern, std::string()) + *two_letters();
    const auto from = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    RC_ASSERT(found_in(text, pattern, from) == text.find(pattern, from));
    RC_ASSERT(found_last_in(text, pattern) == text.rfind(pattern));
}

TEST(TextSearch, FindsLongPatterns) {
    const std::string pattern = std::string(40, 'a') + "b";
    const std::string text = std::string(100, 'a') + pattern + "c" + pattern;
    EXPECT_EQ(found_in(text, pattern), text.find(pattern));
    EXPECT_EQ(found_in(text, pattern, 120), text.find(pattern, 120));
    EXPECT_EQ(found_last_in(text, pattern), text.rfind(pattern));
    EXPECT_EQ(found_in(text, pattern + "x"), std::string::npos);
}

TEST(TextSearch, StopsWhenThereIsNoWorkLeft) {
    const std::string text(100'000, 'a');
    WorkMeter enough(100'000 / bytes_per_unit::kWalked + 1'000);
    EXPECT_EQ(find_text(text, std::string(40, 'a') + "b", 0, enough), std::string::npos);
    WorkMeter little(1'000);
    EXPECT_EQ(find_text(text, std::string(40, 'a') + "b", 0, little), std::nullopt);
    // Where nothing begins to match, nothing is walked.
    WorkMeter fast(1'000);
    EXPECT_EQ(find_text(text, std::string(40, 'b'), 0, fast), std::string::npos);
}

}  // namespace
}  // namespace millrace::expression
