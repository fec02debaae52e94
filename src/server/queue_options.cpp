#include "server/queue_options.hpp"

namespace millrace {

Plans plans_of(const ServerConfig& config) {
    Plans plans;
    for (const auto& [name, plan] : config.plans) {
        plans[name] = {.max_active = plan.max_active, .rate_per_second = plan.rate_per_second};
    }
    return plans;
}

QueueNode::Options queue_options(const ServerConfig& config, std::string owner,
                                 Duration first_net_after) {
    const QueueSettings& settings = config.queue;
    DispatchRules rules;
    rules.max_attempts = settings.max_attempts;
    rules.max_recoveries = settings.max_recoveries;
    return {
        .is_enabled = settings.is_engine_enabled,
        .dispatcher =
            {
                .owner = std::move(owner),
                .lease = settings.lease,
                .plans = plans_of(config),
                .rules = rules,
                .net_interval = settings.poll_interval,
                .first_net_after = first_net_after,
            },
    };
}

}  // namespace millrace
