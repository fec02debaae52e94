#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulator/fault.hpp"
#include "simulator/observer.hpp"
#include "simulator/sim_random.hpp"
#include "simulator/trace.hpp"
#include "store/cluster.hpp"
#include "store/database.hpp"
#include "store/hints.hpp"
#include "store/memory/memory_lock_table.hpp"

namespace millrace::sim {

// A hint on its way to one replica.
struct HintOnItsWay {
    Instant due_at{};
    Hint hint{};
};

// The store that all replicas share, with its true time: the inner database, and beside it what the
// inner one does not have when it is meant for one process: members, leases of duties, locks by
// name, hints.
class SharedStore final : public Clock {
public:
    struct DutyRow {
        DutyLease lease{};
        Instant until{};
    };

    SharedStore(Database& inner, Trace& trace, Instant start)
        : inner_(inner), trace_(trace), now_(start) {}

    Instant now() const override { return now_; }
    void pass(Duration duration) { now_ += duration; }

    Database& inner() { return inner_; }
    void add_observer(Observer& observer) { observers_.push_back(&observer); }
    void tell_applied(const Writes& writes, Instant store_now, int replica);
    void tell_claimed(const std::vector<DeliveredJob>& jobs, Instant store_now, int replica);

    MemoryLocks& locks(const std::string& table) { return locks_[table]; }
    std::map<Id128, ::millrace::Replica>& members() { return members_; }
    std::map<std::string, DutyRow, std::less<>>& duties() { return duties_; }

    // Who listens, by the number of the replica; one that does not has no entry.
    std::map<int, std::deque<HintOnItsWay>>& listeners() { return listeners_; }

private:
    Database& inner_;
    Trace& trace_;
    Instant now_;
    std::vector<Observer*> observers_{};
    std::map<std::string, MemoryLocks> locks_{};
    std::map<Id128, ::millrace::Replica> members_{};
    std::map<std::string, DutyRow, std::less<>> duties_{};
    std::map<int, std::deque<HintOnItsWay>> listeners_{};
};

}  // namespace millrace::sim
