#include "store/definition_cache.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

namespace millrace {
namespace {

std::string chain_of(int steps, const std::string& condition = "a > 1") {
    std::string text = R"({"id":"d","name":"D","steps":[)";
    for (int i = 0; i < steps; ++i) {
        const std::string next = "s" + std::to_string(i + 1);
        text += R"({"id":"s)" + std::to_string(i) + R"(","name":"Step","type":"DECISION",)" +
                R"("conditionalNextSteps":{")" + condition + R"(":")" + next +
                R"("},"nextStep":")" + next + R"("},)";
    }
    return text + R"({"id":"s)" + std::to_string(steps) + R"(","name":"End","type":"END"}]})";
}

// Some twenty kilobytes when it is compiled.
const std::string& large() {
    static const std::string text = chain_of(20);
    return text;
}

TEST(DefinitionCacheTest, HoldsNoMoreBytesThanItMay) {
    constexpr std::size_t kBytesMax = 400u << 10;
    DefinitionCache cache(kBytesMax);
    std::int64_t at_hand = 0;
    for (std::int64_t row_id = 1; row_id <= 200; ++row_id) {
        ASSERT_TRUE(cache.add(row_id, large()));
        EXPECT_LE(cache.bytes(), kBytesMax);
        EXPECT_NE(cache.find(row_id).definition, nullptr);
    }
    for (std::int64_t row_id = 1; row_id <= 200; ++row_id) {
        if (cache.find(row_id).definition != nullptr) at_hand += 1;
    }
    EXPECT_GT(at_hand, 1);
    EXPECT_LT(at_hand, 100);
}

TEST(DefinitionCacheTest, KeepsWhatIsAskedFor) {
    DefinitionCache cache(400u << 10);
    ASSERT_TRUE(cache.add(1, large()));
    for (std::int64_t row_id = 2; row_id <= 200; ++row_id) {
        ASSERT_TRUE(cache.add(row_id, large()));
        EXPECT_NE(cache.find(1).definition, nullptr) << row_id;
    }
}

TEST(DefinitionCacheTest, HoldsOneThatIsLargerThanAllItMay) {
    DefinitionCache cache(1);
    ASSERT_TRUE(cache.add(1, large()));
    EXPECT_NE(cache.find(1).definition, nullptr);
    ASSERT_TRUE(cache.add(2, large()));
    EXPECT_NE(cache.find(2).definition, nullptr);
    EXPECT_EQ(cache.find(1).definition, nullptr);
}

// It must not hold more than it counts; a third more than it holds is not worth a word.
TEST(DefinitionCacheTest, CountsWhatDefinitionsTake) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "A sanitizer hands out memory itself.";
#endif
    std::string sum = "1";
    for (int i = 0; i < 5'000; ++i) sum += "+1";
    const std::string pattern = "x matches '[a-z0-9_.-]{900}'";
    for (const std::string& content :
         {chain_of(100), chain_of(5, sum + " > 1"), chain_of(5, pattern), chain_of(2)}) {
        DefinitionCache unused;
        ASSERT_TRUE(unused.add(1, content));  // What is only made once is there.
        DefinitionCache cache;
        const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
        ASSERT_TRUE(cache.add(1, content));
        const std::size_t taken = mallinfo2().uordblks + mallinfo2().hblkhd - before;
        EXPECT_GT(cache.bytes() * 10, taken * 9) << content.substr(0, 100);
        EXPECT_LT(cache.bytes(), taken * 2) << content.substr(0, 100);
    }
}

}  // namespace
}  // namespace millrace
