#include "queue/held_claims.hpp"

#include <gtest/gtest.h>

#include "support/jobs.hpp"

namespace millrace {
namespace {

ExecutionKey key(std::uint64_t n) {
    return {{Id128::for_instance(kNoon, n)}, kWorkspace};
}

std::vector<std::int64_t> tokens(const std::vector<RenewClaims::Held>& claims) {
    std::vector<std::int64_t> list;
    for (const RenewClaims::Held& claim : claims) list.push_back(claim.token);
    return list;
}

class HeldClaimsTest : public testing::Test {
protected:
    std::vector<std::int64_t> due(Instant now) { return tokens(claims_.take_due(now, 1'000)); }

    HeldClaims claims_{kLease};
};

using Tokens = std::vector<std::int64_t>;

TEST_F(HeldClaimsTest, AClaimIsRenewedWhenHalfOfItsLeaseIsLeft) {
    EXPECT_EQ(claims_.next_at(), std::nullopt);
    claims_.hold(key(1), 7, kNoon + 30s);
    EXPECT_EQ(claims_.next_at(), kNoon + 15s);
    EXPECT_EQ(due(kNoon + 14s), Tokens{});
    EXPECT_EQ(due(kNoon + 15s), Tokens{7});
    EXPECT_EQ(due(kNoon + 15s), Tokens{}) << "it is under way";
    claims_.renewed({{key(1), 7}}, kNoon + 45s);
    EXPECT_EQ(claims_.next_at(), kNoon + 30s);
}

TEST_F(HeldClaimsTest, ARenewalThatFailsIsTriedAgain) {
    claims_.hold(key(1), 7, kNoon + 30s);
    EXPECT_EQ(due(kNoon + 15s), Tokens{7});
    EXPECT_EQ(claims_.next_at(), std::nullopt);
    claims_.renew_again({{key(1), 7}}, kNoon + 16s);
    EXPECT_EQ(claims_.next_at(), kNoon + 16s);
    EXPECT_EQ(due(kNoon + 16s), Tokens{7});
    claims_.renew_again({{key(1), 7}}, kNoon + 40s);
    EXPECT_EQ(due(kNoon + 40s), Tokens{7}) << "beyond its lease: nobody may have noticed";
}

TEST_F(HeldClaimsTest, ToldHowLongAClaimLasts) {
    claims_.hold(key(1), 7, kNoon + 30s);
    EXPECT_TRUE(claims_.lasts(key(1), kNoon + 30s));
    EXPECT_FALSE(claims_.lasts(key(1), kNoon + 31s));
    EXPECT_FALSE(claims_.lasts(key(2), kNoon));
}

TEST_F(HeldClaimsTest, ANewerClaimTakesThePlaceOfAnOlderOne) {
    claims_.hold(key(1), 7, kNoon + 20s);
    claims_.hold(key(1), 8, kNoon + 60s);
    EXPECT_EQ(claims_.size(), 1u);
    EXPECT_EQ(claims_.next_at(), kNoon + 45s);
    claims_.renewed({{key(1), 7}}, kNoon + 90s);
    EXPECT_FALSE(claims_.lasts(key(1), kNoon + 61s)) << "the older one was renewed, not this";
}

TEST_F(HeldClaimsTest, WhatIsDroppedIsNotRenewed) {
    claims_.hold(key(1), 7, kNoon + 20s);
    claims_.hold(key(2), 3, kNoon + 30s);
    claims_.drop(key(1));
    claims_.drop(key(9));
    EXPECT_FALSE(claims_.holds(key(1)));
    EXPECT_EQ(due(kNoon + 1h), Tokens{3});
}

TEST_F(HeldClaimsTest, GivesOutSomeAtATime) {
    for (std::uint64_t n = 1; n <= 5; ++n) {
        claims_.hold(key(n), static_cast<std::int64_t>(n), kNoon + std::chrono::seconds(n));
    }
    EXPECT_EQ(tokens(claims_.take_due(kNoon, 2)), (Tokens{1, 2}));
    EXPECT_EQ(tokens(claims_.take_due(kNoon, 9)), (Tokens{3, 4, 5}));
}

}  // namespace
}  // namespace millrace
