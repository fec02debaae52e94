#include "api/access/failed_attempts.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"

namespace millrace::access {
namespace {

using limits::kAuthFailureForgiven;
using limits::kAuthFailuresMax;

const Instant kNow{std::chrono::seconds{1'800'000'000}};

void fail(FailedAttempts& attempts, std::string_view address, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) attempts.note(address, kNow);
}

TEST(FailedAttemptsTest, LetsAnAddressWaitAfterTooMany) {
    FailedAttempts attempts;
    fail(attempts, "10.0.0.1", kAuthFailuresMax - 1);
    EXPECT_EQ(attempts.wait_of("10.0.0.1", kNow), Duration(0));
    fail(attempts, "10.0.0.1", 1);
    EXPECT_EQ(attempts.wait_of("10.0.0.1", kNow), kAuthFailureForgiven);
    EXPECT_EQ(attempts.wait_of("10.0.0.2", kNow), Duration(0));
}

TEST(FailedAttemptsTest, ForgivesOneAfterTheOther) {
    FailedAttempts attempts;
    fail(attempts, "10.0.0.1", kAuthFailuresMax);
    const Instant later = kNow + kAuthFailureForgiven;
    EXPECT_EQ(attempts.wait_of("10.0.0.1", later), Duration(0));
    attempts.note("10.0.0.1", later);
    EXPECT_EQ(attempts.wait_of("10.0.0.1", later), kAuthFailureForgiven);
    const Instant much_later = kNow + 2 * kAuthFailuresMax * kAuthFailureForgiven;
    EXPECT_EQ(attempts.wait_of("10.0.0.1", much_later), Duration(0));
}

TEST(FailedAttemptsTest, CountsNoFurtherThanItsLimit) {
    FailedAttempts attempts;
    fail(attempts, "10.0.0.1", 100 * kAuthFailuresMax);
    EXPECT_EQ(attempts.wait_of("10.0.0.1", kNow), kAuthFailureForgiven);
    // A clock that was set back locks nobody out.
    EXPECT_EQ(attempts.wait_of("10.0.0.1", kNow - std::chrono::hours(1)), kAuthFailureForgiven);
}

TEST(FailedAttemptsTest, TakesANetworkOfIpv6ForOneAddress) {
    FailedAttempts attempts;
    fail(attempts, "2001:db8:1:2::1", kAuthFailuresMax);
    EXPECT_GT(attempts.wait_of("2001:db8:1:2:ffff::9", kNow), Duration(0));
    EXPECT_EQ(attempts.wait_of("2001:db8:1:3::1", kNow), Duration(0));
    fail(attempts, "::ffff:10.0.0.1", kAuthFailuresMax);
    EXPECT_GT(attempts.wait_of("10.0.0.1", kNow), Duration(0));
    EXPECT_EQ(attempts.wait_of("::ffff:10.0.0.2", kNow), Duration(0));
}

TEST(FailedAttemptsTest, RemembersABoundedNumberOfAddresses) {
    FailedAttempts attempts;
    fail(attempts, "first", kAuthFailuresMax);
    for (std::size_t i = 0; i < limits::kAuthAddressesMax; ++i) {
        attempts.note(std::to_string(i), kNow);
    }
    EXPECT_EQ(attempts.wait_of("first", kNow), Duration(0));
}

}  // namespace
}  // namespace millrace::access
