#pragma once

#include "config/server_config.hpp"
#include "core/queue/workspace.hpp"
#include "node/queue_node.hpp"

namespace millrace {

// What the queue takes from the configuration.
Plans plans_of(const ServerConfig& config);
DispatchRules dispatch_rules_of(const ServerConfig& config);

// A client for each target of the configuration. invalid_argument: one can never work.
using RemoteExecutors = std::map<std::string, std::unique_ptr<RemoteExecutor>>;
Result<RemoteExecutors> open_executors(const ServerConfig& config, const std::string& owner);

// `self` is how other replicas know this one; `first_net_after` keeps those that start together
// apart.
//
// invalid_argument: a target can never work.
Result<QueueNode::Options> queue_options(const ServerConfig& config, const Replica& self,
                                         Duration first_net_after);

}  // namespace millrace
