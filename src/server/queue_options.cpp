#include "server/queue_options.hpp"

#include "executor/temporal/temporal_executor.hpp"

namespace millrace {

Plans plans_of(const ServerConfig& config) {
    Plans plans;
    for (const auto& [name, plan] : config.plans) {
        plans[name] = {.max_active = plan.max_active, .rate_per_second = plan.rate_per_second};
    }
    return plans;
}

DispatchRules dispatch_rules_of(const ServerConfig& config) {
    DispatchRules rules;
    rules.max_attempts = config.queue.max_attempts;
    rules.max_recoveries = config.queue.max_recoveries;
    return rules;
}

namespace {

TemporalOptions temporal_options(const TemporalSettings& settings, const std::string& owner) {
    TemporalOptions options{
        .address = settings.address,
        .task_queue = settings.task_queue,
        .identity = "millrace@" + owner,
        .api_key = settings.api_key,
    };
    if (!settings.name_space.empty()) options.name_space = settings.name_space;
    if (uses_tls(settings)) {
        options.tls = TemporalTls{
            .ca_file = settings.ca,
            .certificate_file = settings.certificate,
            .key_file = settings.key,
            .server_name = settings.server_name,
        };
    }
    return options;
}

// The name tells people whose the lock is; the id, that it is nobody else's. It comes first: a
// column cuts what is too long.
std::string lock_holder(const Replica& self) {
    return (to_string(self.id) + " " + self.name).substr(0, kLockHolderBytesMax);
}

void make_single(QueueNode::Options& options, const QueueSettings& settings, const Replica& self) {
    const Dispatcher::Config& dispatcher = options.dispatcher;
    options.single = SingleMode::Options{
        .lock_table = settings.lock_table,
        .holder = lock_holder(self),
        .batch = {.owner = dispatcher.owner,
                  .lease = dispatcher.lease,
                  .plans = dispatcher.plans,
                  .rules = dispatcher.rules,
                  .batch_size = settings.batch_size},
        .poll_interval = settings.poll_interval,
        .recover_interval = settings.recover_interval,
        .first_after = dispatcher.first_net_after,
    };
    options.remote.is_sequential = true;
    options.remote.stale_after = settings.stale_after;
}

}  // namespace

Result<RemoteExecutors> open_executors(const ServerConfig& config, const std::string& owner) {
    RemoteExecutors executors;
    for (const auto& [target, temporal] : config.temporal) {
        Result<std::unique_ptr<RemoteExecutor>> executor =
            open_temporal(temporal_options(temporal, owner));
        if (!executor) {
            return Error{ErrorCode::invalid_argument,
                         "temporal." + target + ": " + executor.error().detail};
        }
        executors.emplace(target, std::move(*executor));
    }
    return executors;
}

Result<QueueNode::Options> queue_options(const ServerConfig& config, const Replica& self,
                                         Duration first_net_after) {
    const QueueSettings& settings = config.queue;
    const std::string owner = to_string(self.id);
    const DispatchRules rules = dispatch_rules_of(config);
    QueueNode::Options options;
    options.is_enabled = settings.is_engine_enabled;
    options.dispatcher = {
        .owner = owner,
        .lease = settings.lease,
        .plans = plans_of(config),
        .rules = rules,
        .net_interval = settings.poll_interval,
        .first_net_after = first_net_after,
    };
    options.remote.owner = owner;
    options.remote.lease = settings.lease;
    options.remote.call_timeout = settings.call_timeout;
    options.remote.parallel_calls = static_cast<std::size_t>(settings.parallel_calls);
    options.remote.rules = rules;
    if (settings.mode == DispatcherMode::single) make_single(options, settings, self);
    Result<RemoteExecutors> executors = open_executors(config, owner);
    if (!executors) return executors.error();
    options.executors = std::move(*executors);
    return options;
}

}  // namespace millrace
