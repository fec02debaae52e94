#include "core/bounded_message.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"

namespace millrace {
namespace {

TEST(BoundedMessage, KeepsShortTextAndReplacesTheCharacterThatNoStoreKeeps) {
    using namespace std::string_literals;
    EXPECT_EQ(bounded_message("short"), "short");
    EXPECT_EQ(bounded_message("a\0b"s), "a b");
}

TEST(BoundedMessage, IsCutBetweenCharacters) {
    const std::string text = std::string(limits::kMessageBytesMax - 1, 'x') + "\u00e9\u00e9";
    EXPECT_EQ(bounded_message(text), std::string(limits::kMessageBytesMax - 1, 'x'));
}

}  // namespace
}  // namespace millrace
