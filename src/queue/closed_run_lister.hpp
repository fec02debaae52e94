#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "queue/left_runs.hpp"
#include "queue/remote_context.hpp"

namespace millrace {

// Asks targets now and then which runs have ended lately, wherever this process has left some, and
// nominates those for a look. The answer comes from an index that lags and proves nothing. Belongs
// to the thread of the context.
class ClosedRunLister {
public:
    ClosedRunLister(RemoteContext& context, const LeftRuns& left,
                    std::function<void(const RunPtr&)> nominate);

    void run(Instant now);
    std::optional<Instant> next_at() const;

    // Whether ends there are heard of this way: it has worked, not long ago.
    bool covers(const RunPlace& place, Instant now) const;

private:
    struct Listing {
        Instant next_at{};
        Instant since{};
        bool is_under_way = false;
        Instant began_at{};
        int pages = 0;
        std::optional<Instant> worked_at{};
    };

    void ask(const RunPlace& place, RemoteTarget& target, const std::string& page);
    void answered(const RunPlace& place, RemoteTarget& target,
                  const CallResult<ClosedRuns>& result);

    RemoteContext& context_;
    const LeftRuns& left_;
    std::function<void(const RunPtr&)> nominate_;
    std::map<RunPlace, Listing> listings_;
};

}  // namespace millrace
