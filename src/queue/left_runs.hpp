#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "queue/watched_run.hpp"

namespace millrace {

// Where runs are: a target and a namespace there.
struct RunPlace {
    std::string target{};
    std::string name_space{};

    friend auto operator<=>(const RunPlace&, const RunPlace&) = default;
};

// Runs that this process was the last to look at, and that nobody waits for: until somebody looks
// again, which may be another process. Belongs to one thread at a time.
class LeftRuns {
public:
    // Beyond its bound nothing is kept: the next look finds those runs all the same.
    void add(const RunPtr& run, const RunPlace& place, Instant until);
    void forget(ExecutionId id);
    // What others have looked at by now.
    void forget_until(Instant now);

    // Null when it is none of these.
    RunPtr find(ExecutionId id) const;
    std::vector<RunPlace> places() const;
    bool has_place(const RunPlace& place) const { return counts_.contains(place); }

private:
    struct Left {
        RunPtr run{};
        RunPlace place{};
        Instant until{};
    };

    std::map<ExecutionId, Left> runs_;
    std::set<std::pair<Instant, ExecutionId>> ends_;
    std::map<RunPlace, std::size_t> counts_;
};

}  // namespace millrace
