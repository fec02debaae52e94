#include "queue/kept_message.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"

namespace millrace {
namespace {

TEST(KeptMessage, IsWhatEveryStoreCanKeep) {
    using namespace std::string_literals;
    EXPECT_EQ(kept_message("no route to host"), "no route to host");
    EXPECT_EQ(kept_message("a\0b"s), "a b");
    EXPECT_EQ(kept_message("\xFF\xFE"), "The executor's message is no text.");
}

TEST(KeptMessage, IsCutBetweenCharacters) {
    const std::string text = std::string(limits::kMessageBytesMax - 1, 'x') + "\u00e9\u00e9";
    EXPECT_EQ(kept_message(text), std::string(limits::kMessageBytesMax - 1, 'x'));
}

}  // namespace
}  // namespace millrace
