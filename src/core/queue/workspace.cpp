#include "core/queue/workspace.hpp"

namespace millrace {

const Plans& default_plans() {
    static const Plans plans{
        {"FREE", {.max_active = 1}},
        {"PRO", {.max_active = 5}},
        {"ENTERPRISE", {.max_active = 20}},
        {"UNLIMITED", {}},
    };
    return plans;
}

WorkspaceLimits limits_of(const Workspace& workspace, const Plans& plans) {
    const auto found = plans.find(workspace.plan);
    const Plan plan = found == plans.end() ? Plan{.max_active = 1} : found->second;
    WorkspaceLimits limits{
        .max_active = plan.max_active,
        .rate_per_second = plan.rate_per_second,
        .weight = workspace.weight,
    };
    if (workspace.max_active) limits.max_active = workspace.max_active;
    if (workspace.rate_per_second) limits.rate_per_second = workspace.rate_per_second;
    if (workspace.max_per_key) limits.max_per_key = *workspace.max_per_key;
    if (workspace.is_paused) limits.max_active = 0;
    return limits;
}

}  // namespace millrace
