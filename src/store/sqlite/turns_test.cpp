#include "store/sqlite/turns.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace millrace::sqlite {
namespace {

TEST(Turns, AreForOneAtATime) {
    Turns turns;
    int count = 0;  // Guarded by the turns: a sanitizer would see a race.
    {
        std::vector<std::jthread> threads;
        for (int n = 0; n < 4; ++n) {
            threads.emplace_back([&] {
                for (int round = 0; round < 250; ++round) {
                    const Turn turn(turns);
                    count += 1;
                }
            });
        }
    }
    EXPECT_EQ(count, 1'000);
}

TEST(Turns, MayBeGivenBackByAnotherThread) {
    Turns turns;
    turns.take();
    std::jthread([&] { turns.give_back(); }).join();
    const Turn next(turns);
}

TEST(Turns, GoWithTheObjectThatHoldsThem) {
    Turns turns;
    {
        Turn first(turns);
        const Turn moved(std::move(first));
    }
    const Turn next(turns);
}

}  // namespace
}  // namespace millrace::sqlite
