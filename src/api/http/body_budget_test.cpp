#include "api/http/body_budget.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace millrace::http {
namespace {

TEST(BodyBudgetTest, GivesOneClientHalfAndTheNextOneRoom) {
    const auto budget = std::make_shared<BodyBudget>(100);
    std::vector<BodyBudget::Share> greedy;
    for (;;) {
        BodyBudget::Share share(budget, "greedy");
        if (!share.grow_to(10)) break;
        greedy.push_back(std::move(share));
    }
    EXPECT_EQ(greedy.size(), 5u);
    EXPECT_EQ(budget->bytes_taken(), 50u);

    BodyBudget::Share other(budget, "other");
    EXPECT_TRUE(other.grow_to(25));
    EXPECT_FALSE(other.grow_to(51)) << "It would leave less to the others than it has.";
    EXPECT_EQ(other.bytes(), 25u);
}

TEST(BodyBudgetTest, GetsBackWhatAShareHad) {
    const auto budget = std::make_shared<BodyBudget>(100);
    {
        BodyBudget::Share share(budget, "a");
        EXPECT_TRUE(share.grow_to(20));
        EXPECT_TRUE(share.grow_to(40));
        EXPECT_TRUE(share.grow_to(10)) << "It is that large already.";
        EXPECT_EQ(budget->bytes_taken(), 40u);
        const BodyBudget::Share moved = std::move(share);
        EXPECT_EQ(moved.bytes(), 40u);
        EXPECT_EQ(budget->bytes_taken(), 40u);
    }
    EXPECT_EQ(budget->bytes_taken(), 0u);
    BodyBudget::Share replaced(budget, "a");
    EXPECT_TRUE(replaced.grow_to(50));
    replaced = {};
    EXPECT_EQ(budget->bytes_taken(), 0u);
}

TEST(BodyBudgetTest, IsNeverOverdrawn) {
    const auto budget = std::make_shared<BodyBudget>(100);
    std::vector<BodyBudget::Share> shares;
    for (int client = 0; client < 50; ++client) {
        BodyBudget::Share share(budget, std::to_string(client));
        if (share.grow_to(30)) shares.push_back(std::move(share));
        EXPECT_LE(budget->bytes_taken(), 100u);
    }
    EXPECT_EQ(shares.size(), 3u);
}

}  // namespace
}  // namespace millrace::http
