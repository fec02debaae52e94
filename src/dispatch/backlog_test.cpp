#include "dispatch/backlog.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/instances.hpp"

namespace millrace {
namespace {

constexpr int kMoreThanAreKept = 10'001;

WaitingType type_of(const std::string& name) {
    return {kWorkspace, {name}};
}

class BacklogForgettingTest : public testing::Test {
protected:
    void note_many_others() {
        for (int n = 0; n < kMoreThanAreKept; ++n) {
            backlog_.note_waiting(type_of("other" + std::to_string(n)));
        }
    }

    Backlog backlog_;
    const WaitingType type_ = type_of("t");
};

// The claim began when nothing was known of the type, and a job was committed behind its back.
TEST_F(BacklogForgettingTest, ForgettingTypesDoesNotForgetWhatCameDuringAClaim) {
    const std::uint64_t generation = backlog_.generation(type_);
    backlog_.note_waiting(type_);
    note_many_others();
    backlog_.note_empty(type_, generation, kNoon);
    EXPECT_TRUE(backlog_.may_have(type_));
    EXPECT_TRUE(backlog_.is_ready_anywhere(type_.job_type));
}

TEST_F(BacklogForgettingTest, ForgetsAllTypesButTheOneThatWasJustLookedAt) {
    note_many_others();
    EXPECT_TRUE(backlog_.knows(type_of("other1")));
    backlog_.note_empty(type_, backlog_.generation(type_), kNoon);
    EXPECT_FALSE(backlog_.may_have(type_));
    EXPECT_FALSE(backlog_.knows(type_of("other1")));
    EXPECT_TRUE(backlog_.may_have(type_of("other1"))) << "of what is not known there may be some";
}

}  // namespace
}  // namespace millrace
