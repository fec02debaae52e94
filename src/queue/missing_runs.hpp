#pragma once

#include <map>

#include "queue/remote_settings.hpp"

namespace millrace {

// Runs that should be there and were not found. Belongs to one thread at a time.
class MissingRuns {
public:
    explicit MissingRuns(const RemoteSettings& settings) : settings_(settings) {}

    // Was looked for once more, in vain. True when that is often and long enough to give it up.
    bool add(ExecutionId id, Instant now);
    // It is there, or over.
    void forget(ExecutionId id) { missing_.erase(id); }

    std::size_t size() const { return missing_.size(); }

private:
    struct Missing {
        Instant since{};
        Instant last_at{};
        int looks = 0;
    };

    void forget_old(Instant now);

    const RemoteSettings& settings_;
    std::map<ExecutionId, Missing> missing_;
};

}  // namespace millrace
