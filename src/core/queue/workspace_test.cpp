#include "core/queue/workspace.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

struct Row {
    const char* name;
    Workspace workspace;
    WorkspaceLimits expected;
};

class WorkspaceLimitsOf : public testing::TestWithParam<Row> {};

TEST_P(WorkspaceLimitsOf, ComeFromPlanAndOverrides) {
    Plans plans = default_plans();
    plans["BURSTY"] = {.max_active = 7, .rate_per_second = 2.5};
    EXPECT_EQ(limits_of(GetParam().workspace, plans), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Plans, WorkspaceLimitsOf,
    testing::Values(
        Row{"Free", {.plan = "FREE"}, {.max_active = 1}},
        Row{"Pro", {.plan = "PRO"}, {.max_active = 5}},
        Row{"Enterprise", {.plan = "ENTERPRISE"}, {.max_active = 20}},
        Row{"Unlimited", {.plan = "UNLIMITED"}, {}},
        Row{"OfTheServer", {.plan = "BURSTY"}, {.max_active = 7, .rate_per_second = 2.5}},
        Row{"Unknown", {.plan = "GONE"}, {.max_active = 1}},
        Row{"Overridden",
            {.plan = "BURSTY",
             .max_active = 3,
             .max_per_key = 2,
             .rate_per_second = 9,
             .weight = 4},
            {.max_active = 3, .max_per_key = 2, .rate_per_second = 9, .weight = 4}},
        Row{"OverriddenWithNone", {.plan = "PRO", .max_active = 0}, {.max_active = 0}},
        Row{"Paused", {.plan = "UNLIMITED", .is_paused = true}, {.max_active = 0}},
        Row{"PausedAndOverridden",
            {.plan = "PRO", .max_active = 9, .is_paused = true},
            {.max_active = 0}}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace millrace
