#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "queue/remote_context.hpp"

namespace millrace {

// How long targets remember runs that are over, namespace by namespace: asked when somebody wants
// to know, then kept for a while. Belongs to the thread of the context.
class NamespaceRetentions {
public:
    using Done = std::function<void(const CallResult<NamespaceReport>&)>;

    explicit NamespaceRetentions(RemoteContext& context) : context_(context) {}

    // Empty when it has to be asked for.
    std::optional<Duration> find(const RemoteTarget& target, const std::string& name_space) const;

    // `done` is called once, later. Everybody who asks meanwhile shares one call.
    void ask(RemoteTarget& target, const std::string& name_space, Done done);

private:
    using Key = std::pair<std::string, std::string>;  // Target and namespace.

    struct Known {
        Duration retention{};
        Instant until{};
    };

    void answered(const Key& key, RemoteTarget& target, const CallResult<NamespaceReport>& result);

    RemoteContext& context_;
    std::map<Key, Known> known_;
    std::map<Key, std::vector<Done>> asking_;
};

}  // namespace millrace
