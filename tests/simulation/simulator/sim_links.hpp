#pragma once

#include "simulator/sim_database.hpp"
#include "store/memory/memory_lock_table.hpp"

namespace millrace::sim {

// What replicas need to know of each other, by the store's true time.

class SimCluster final : public Cluster {
public:
    explicit SimCluster(Line& line) : line_(line) {}

    Result<std::vector<::millrace::Replica>> report(const ::millrace::Replica& self,
                                                    Duration fresh) override;
    Status leave(const Id128& replica) override;
    Result<std::optional<DutyLease>> hold(std::string_view duty, const Id128& replica,
                                          Duration duration) override;

private:
    Line& line_;
};

class SimLockTable final : public LockTable {
public:
    SimLockTable(Line& line, MemoryLocks& locks) : line_(line), inner_(locks, line.time) {}

    Status prepare(LockTableMode) override { return ok(); }
    Result<bool> lock(std::string_view name, std::string_view holder, Duration at_most) override;
    Status unlock(std::string_view name, std::string_view holder, Duration at_least) override;

private:
    Line& line_;
    MemoryLockTable inner_;
};

class SimHintSender final : public HintSender {
public:
    explicit SimHintSender(Line& line) : line_(line) {}

    Status send(const Hint& hint) override;

private:
    void send_to(std::deque<HintOnItsWay>& listener, const Hint& hint, bool is_unlucky);

    Line& line_;
};

// Never waits: the world calls the loop that listens when there is something to hear, and after its
// patience otherwise.
class SimHintListener final : public HintListener {
public:
    explicit SimHintListener(Line& line) : line_(line) {}

    Result<std::vector<Hint>> wait(Duration patience) override;
    void interrupt() override {}

private:
    Line& line_;
};

}  // namespace millrace::sim
