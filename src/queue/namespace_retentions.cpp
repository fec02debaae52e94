#include "queue/namespace_retentions.hpp"

namespace millrace {

std::optional<Duration> NamespaceRetentions::find(const RemoteTarget& target,
                                                  const std::string& name_space) const {
    const auto found = known_.find({target.name(), name_space});
    if (found == known_.end() || found->second.until <= context_.clock.now()) return std::nullopt;
    return found->second.retention;
}

void NamespaceRetentions::ask(RemoteTarget& target, const std::string& name_space, Done done) {
    const Key key{target.name(), name_space};
    std::vector<Done>& waiting = asking_[key];
    waiting.push_back(std::move(done));
    if (waiting.size() > 1) return;
    target.executor().describe_namespace(
        name_space, context_.settings.call_timeout,
        context_.handing_to<CallResult<NamespaceReport>>(
            [this, key, &target](const CallResult<NamespaceReport>& result) {
                answered(key, target, result);
            }));
}

void NamespaceRetentions::answered(const Key& key, RemoteTarget& target,
                                   const CallResult<NamespaceReport>& result) {
    const Instant now = context_.clock.now();
    target.note(result, now);
    if (result.answer && result.answer->is_found) {
        known_[key] = {result.answer->retention, now + context_.settings.retention_kept};
    }
    for (const Done& done : std::exchange(asking_[key], {})) done(result);
}

}  // namespace millrace
