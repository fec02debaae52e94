#include "cli/patience.hpp"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

TEST(PatienceTest, CountsFromTheFirstFailureBehindAnAnswer) {
    const Patience::Time start{};
    Patience patience(60s);
    patience.on_answer();
    // Nothing was to be heard for an hour.
    EXPECT_TRUE(patience.bears_failure(start + 1h));
    EXPECT_TRUE(patience.bears_failure(start + 1h + 60s));
    EXPECT_FALSE(patience.bears_failure(start + 1h + 61s));
    patience.on_answer();
    EXPECT_TRUE(patience.bears_failure(start + 1h + 62s));
}

}  // namespace
}  // namespace millrace::cli
