#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "dispatch/hint_collector.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "runtime/loop_thread.hpp"
#include "scheduler/cluster_member.hpp"
#include "server/loop_health.hpp"
#include "store/database.hpp"

namespace millrace {

// This process among its equals on a shared store: what it tells them and hears from them, who is
// there, and who has the lease of the duties. Losing all of it costs time, never work
// (docs/adr/0011).
class ReplicaLink {
public:
    // What is done with what others tell. Called on threads of this object.
    struct Hearers {
        std::function<void(const Hint&)> hint{};
        std::function<void(bool)> is_hinted{};  // Whether hints come in, or there is nobody else.
        std::function<void()> lease_changed{};
    };

    ReplicaLink(Database& database, Replica self, const Clock& clock, Random& random,
                observe::Metrics& metrics, observe::Log& log, Hearers hearers);
    ~ReplicaLink();

    HintCollector& collector() { return collector_; }
    std::optional<DutyLease> lease() const { return member_.lease(); }

    // Brings the gauges up to date.
    void measure();

    void start();
    // Tells what is left to tell, and leaves.
    void stop();

private:
    using Next = runtime::LoopThread::Next;

    ClusterMember::Listener member_listener();
    Next send();
    Next listen();
    Next beat();
    Next until(std::optional<Instant> at) const;
    void hear(const std::vector<Hint>& hints);
    void set_listening(bool is_listening);
    void set_alone(bool is_alone);
    void tell_pace();

    const Clock& clock_;
    observe::Metrics& metrics_;
    observe::Log& log_;
    const Hearers hearers_;
    const std::unique_ptr<HintSender> sender_;
    const std::unique_ptr<HintListener> listener_;  // Null where nothing can be heard.
    const std::unique_ptr<Cluster> cluster_;
    HintCollector collector_;
    ClusterMember member_;

    // Hints are a help: a server without them is still fit for work.
    std::atomic<int> silent_loops_ = 0;
    LoopHealth sender_health_;
    LoopHealth listener_health_;
    LoopHealth member_health_;
    std::atomic<bool> is_listening_ = false;
    std::atomic<bool> is_alone_ = false;
    std::atomic<bool> is_stopping_ = false;
    bool is_started_ = false;
    bool is_member_ = false;  // The latest beat was heard.

    // Last: they end before what they use.
    runtime::LoopThread sender_thread_;
    runtime::LoopThread listener_thread_;
    runtime::LoopThread member_thread_;
};

}  // namespace millrace
