#include "dispatch/turns.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace {
namespace {

const JobType kPay{"pay"};
const JobType kShip{"ship"};

// "acme/pay bolt/pay"
std::string told(const std::vector<WaitingType>& turns) {
    std::string text;
    for (const WaitingType& turn : turns) {
        text += (text.empty() ? "" : " ") + turn.workspace_id.value + "/" + turn.job_type.value;
    }
    return text;
}

TEST(TurnsTest, GoAroundTheWorkspaces) {
    Turns turns;
    const ReadyWorkspaces ready{{kPay, {{"acme"}, {"bolt"}, {"cord"}}}};
    for (const char* expected : {"acme/pay", "bolt/pay", "cord/pay", "acme/pay"}) {
        EXPECT_EQ(told(turns.take({kPay}, ready, 1)), expected);
    }
    EXPECT_EQ(told(turns.take({kPay}, ready, 2)), "bolt/pay cord/pay");
    EXPECT_EQ(told(turns.take({kPay}, ready, 9)), "acme/pay bolt/pay cord/pay") << "none twice";
    EXPECT_EQ(told(turns.take({kPay}, ready, 1)), "acme/pay");
}

TEST(TurnsTest, AreOverWhenNobodyIsReady) {
    Turns turns;
    EXPECT_TRUE(turns.take({kPay}, {}, 3).empty());
    EXPECT_TRUE(turns.take({kPay}, {{kShip, {{"acme"}}}}, 3).empty());
}

TEST(TurnsTest, SkipWhoIsNotReadyAndFindWhoComesLate) {
    Turns turns;
    EXPECT_EQ(told(turns.take({kPay}, {{kPay, {{"bolt"}}}}, 1)), "bolt/pay");
    EXPECT_EQ(told(turns.take({kPay}, {{kPay, {{"acme"}, {"bolt"}, {"cord"}}}}, 1)), "cord/pay");
    EXPECT_EQ(told(turns.take({kPay}, {{kPay, {{"acme"}, {"bolt"}, {"cord"}}}}, 1)), "acme/pay");
}

TEST(TurnsTest, GiveEachTypeOfAWorkspaceARound) {
    Turns turns;
    const ReadyWorkspaces ready{{kPay, {{"acme"}}}, {kShip, {{"acme"}, {"bolt"}}}};
    const std::vector<JobType> both{kPay, kShip};
    std::string all;
    for (int i = 0; i < 4; ++i) all += told(turns.take(both, ready, 1)) + " ";
    EXPECT_EQ(all, "acme/pay bolt/ship acme/ship bolt/ship ");
    EXPECT_EQ(told(turns.take(both, ready, 1)), "acme/pay");

    Turns of_one_workspace;
    const ReadyWorkspaces one{{kPay, {{"acme"}}}, {kShip, {{"acme"}}}};
    EXPECT_EQ(told(of_one_workspace.take(both, one, 9)), "acme/pay");
    EXPECT_EQ(told(of_one_workspace.take(both, one, 9)), "acme/ship") << "in the next round";
    EXPECT_EQ(told(of_one_workspace.take(both, one, 9)), "acme/pay");
}

// A workspace that alone has jobs for one kind of worker has its turns with another kind, too.
TEST(TurnsTest, OfOtherTypesAreOthers) {
    Turns turns;
    const ReadyWorkspaces ready{{kPay, {{"acme"}}}, {kShip, {{"acme"}, {"bolt"}}}};
    std::string shipped;
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(told(turns.take({kPay}, ready, 1)), "acme/pay");
        shipped += told(turns.take({kShip}, ready, 1)) + " ";
    }
    EXPECT_EQ(shipped, "acme/ship bolt/ship acme/ship bolt/ship ");
}

}  // namespace
}  // namespace millrace
