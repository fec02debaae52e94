#include "api/rest/job_workspaces.hpp"

#include <gtest/gtest.h>

namespace millrace::rest {
namespace {

InstanceId instance(std::uint64_t n) {
    return {Id128::for_instance(Instant{std::chrono::seconds{1'800'000'000}}, n)};
}

TEST(JobWorkspacesTest, GuessesDefaultWhereNothingIsKnown) {
    JobWorkspaces workspaces;
    EXPECT_EQ(workspaces.guess(instance(1)).value, "default");
    workspaces.note(instance(1), {"acme"});
    workspaces.note(instance(2), {"default"});
    EXPECT_EQ(workspaces.guess(instance(1)).value, "acme");
    EXPECT_EQ(workspaces.guess(instance(2)).value, "default");
}

TEST(JobWorkspacesTest, ForgetsTheOldest) {
    JobWorkspaces workspaces;
    constexpr std::uint64_t kMany = 120'000;
    for (std::uint64_t n = 1; n <= kMany; ++n) workspaces.note(instance(n), {"acme"});
    EXPECT_EQ(workspaces.guess(instance(1)).value, "default");
    EXPECT_EQ(workspaces.guess(instance(kMany - 50'000)).value, "acme");
    EXPECT_EQ(workspaces.guess(instance(kMany)).value, "acme");
}

}  // namespace
}  // namespace millrace::rest
