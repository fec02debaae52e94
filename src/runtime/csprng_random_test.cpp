#include "runtime/csprng_random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <thread>
#include <vector>

namespace millrace::runtime {
namespace {

constexpr std::size_t kThreads = 4;
constexpr std::size_t kDraws = 1'000;

TEST(CsprngRandomTest, GivesNoNumberTwiceInAnyThread) {
    CsprngRandom random;
    std::array<std::vector<std::uint64_t>, kThreads> drawn;
    {
        std::vector<std::jthread> threads;
        for (auto& numbers : drawn) {
            threads.emplace_back([&random, &numbers] {
                for (std::size_t i = 0; i < kDraws; ++i) numbers.push_back(random.next());
            });
        }
    }
    std::set<std::uint64_t> distinct;
    for (const auto& numbers : drawn) distinct.insert(numbers.begin(), numbers.end());
    EXPECT_EQ(distinct.size(), kThreads * kDraws);
}

}  // namespace
}  // namespace millrace::runtime
