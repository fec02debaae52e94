#include "cli/age_text.hpp"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

struct Row {
    double seconds;
    const char* text;
};

TEST(AgeText, IsAsExactAsPeopleWant) {
    for (const Row& row : {Row{-1, "0.0 s"}, Row{0, "0.0 s"}, Row{0.11616, "0.1 s"},
                           Row{9.99, "9.9 s"}, Row{10, "10 s"}, Row{42.5, "42 s"},
                           Row{119.9, "119 s"}, Row{120, "2 min"}, Row{7199, "119 min"},
                           Row{7200, "2 h"}, Row{7860, "2 h 11 min"}, Row{172'799, "47 h 59 min"},
                           Row{172'800, "2 d"}, Row{180'000, "2 d 2 h"}, Row{1e300, "36600 d"}}) {
        EXPECT_EQ(age_text(row.seconds), row.text) << row.seconds;
    }
}

}  // namespace
}  // namespace millrace::cli
