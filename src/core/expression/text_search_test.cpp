#include "core/expression/text_search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace millrace::expression {
namespace {

// A text of two letters has many near misses.
rc::Gen<std::string> two_letters() {
    return rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab")));
}

RC_GTEST_PROP(TextSearch, FindsWhatTheLibraryFinds, ()) {
    const std::string pattern = *two_letters();
    const std::string text =
        *two_letters() + *rc::gen::element(pattern, std::string()) + *two_letters();
    const auto from = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    RC_ASSERT(find_text(text, pattern, from) == text.find(pattern, from));
    RC_ASSERT(find_last_text(text, pattern) == text.rfind(pattern));
}

TEST(TextSearch, FindsLongPatterns) {
    const std::string pattern = std::string(40, 'a') + "b";
    const std::string text = std::string(100, 'a') + pattern + "c" + pattern;
    EXPECT_EQ(find_text(text, pattern), text.find(pattern));
    EXPECT_EQ(find_text(text, pattern, 120), text.find(pattern, 120));
    EXPECT_EQ(find_last_text(text, pattern), text.rfind(pattern));
    EXPECT_EQ(find_text(text, pattern + "x"), std::string::npos);
}

}  // namespace
}  // namespace millrace::expression
