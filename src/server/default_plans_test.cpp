#include <gtest/gtest.h>

#include "config/queue_config.hpp"
#include "core/queue/workspace.hpp"

namespace millrace {
namespace {

// Settings know nothing of the core and so have plans of their own. They are the same ones.
TEST(DefaultPlans, AreThoseOfTheCore) {
    Plans plans;
    for (const auto& [name, plan] : default_plan_settings()) {
        plans[name] = {.max_active = plan.max_active, .rate_per_second = plan.rate_per_second};
    }
    EXPECT_EQ(plans, default_plans());
}

}  // namespace
}  // namespace millrace
