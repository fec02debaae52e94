#include "api/access/lru_map.hpp"

#include <gtest/gtest.h>

namespace millrace::access {
namespace {

TEST(LruMapTest, ForgetsWhatWasUsedTheLongestAgo) {
    LruMap<int> map(2);
    map.put("a", 1);
    map.put("b", 2);
    ASSERT_NE(map.find("a"), nullptr);
    map.put("c", 3);
    EXPECT_EQ(map.find("b"), nullptr);
    EXPECT_EQ(*map.find("a"), 1);
    EXPECT_EQ(*map.find("c"), 3);
    EXPECT_EQ(map.size(), 2u);
}

TEST(LruMapTest, ReplacesAndErases) {
    LruMap<int> map(2);
    map.put("a", 1);
    map.put("a", 2);
    EXPECT_EQ(*map.find("a"), 2);
    EXPECT_EQ(map.size(), 1u);
    map.erase("a");
    map.erase("a");
    EXPECT_EQ(map.find("a"), nullptr);
    EXPECT_EQ(map.size(), 0u);
}

}  // namespace
}  // namespace millrace::access
