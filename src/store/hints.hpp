#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/job_claimer.hpp"

namespace millrace {

// What a replica tells the others after it has committed. Losing one costs time, never work.
struct Hint {
    std::vector<WaitingType> waiting{};    // Types that have got jobs nobody has claimed.
    std::vector<std::string> api_keys{};   // Ids of keys that came or were revoked.
    std::vector<InstanceKey> instances{};  // Some that changed and that somebody may watch.
    std::vector<WorkspaceId> queues{};     // Workspaces that have got executions.
    bool members_changed = false;          // A replica comes or goes: see who is there.
    bool is_incomplete = false;            // More types have got jobs: look yourself.

    bool empty() const { return *this == Hint{}; }

    friend bool operator==(const Hint&, const Hint&) = default;
};

// One connection on which hints go out. Same rules as for BatchStore: it blocks, belongs to one
// thread at a time and connects by itself. One call is one small transaction.
class HintSender {
public:
    virtual ~HintSender() = default;

    // To all other replicas that listen. A hint too long for one message goes out cut short, with
    // is_incomplete.
    virtual Status send(const Hint& hint) = 0;
};

// One connection on which the hints of others come in. Same rules, except for interrupt().
class HintListener {
public:
    virtual ~HintListener() = default;

    // Waits until there is a hint of another replica, for as long as `patience`, or until it is
    // interrupted. The first hint of a new connection is incomplete: what came before is lost.
    // unavailable: it cannot listen, or no longer.
    virtual Result<std::vector<Hint>> wait(Duration patience) = 0;

    // Ends the wait under way, or the next one. Any thread.
    virtual void interrupt() = 0;
};

}  // namespace millrace
