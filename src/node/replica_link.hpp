#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "dispatch/hint_collector.hpp"
#include "node/loop_set.hpp"
#include "node/node_context.hpp"
#include "runtime/loop_runner.hpp"
#include "scheduler/cluster_member.hpp"

namespace millrace {

// This process among its equals on a shared store: what it tells them and hears from them, who is
// there, and who has the lease of the duties. Losing all of it costs time, never work
// (docs/adr/0011).
class ReplicaLink {
public:
    // What is done with what others tell. Called in rounds of this object.
    struct Hearers {
        std::function<void(const Hint&)> hint{};
        std::function<void(bool)> is_hinted{};  // Whether hints come in, or there is nobody else.
        std::function<void()> lease_changed{};
    };

    // Adds its loops to `loops`.
    ReplicaLink(const NodeContext& context, LoopSet& loops, Replica self, Hearers hearers);

    HintCollector& collector() { return collector_; }
    std::optional<DutyLease> lease() const { return member_.lease(); }

    // Brings the gauges up to date.
    void measure();

    // Tells what is left to tell, and leaves.
    void stop(runtime::LoopRunner& runner);

private:
    ClusterMember::Listener member_listener();
    Round send();
    Round listen();
    Round beat();
    void hear(const std::vector<Hint>& hints);
    void set_listening(bool is_listening);
    void set_alone(bool is_alone);
    void tell_pace();

    const NodeContext context_;
    const Hearers hearers_;
    const std::unique_ptr<HintSender> sender_;
    const std::unique_ptr<HintListener> listener_;  // Null where nothing can be heard.
    const std::unique_ptr<Cluster> cluster_;
    // Hints are a help: a server without them is still fit for work.
    runtime::Loop& sender_loop_;
    runtime::Loop& listener_loop_;
    runtime::Loop& member_loop_;
    HintCollector collector_;
    ClusterMember member_;

    std::atomic<bool> is_listening_ = false;
    std::atomic<bool> is_alone_ = false;
    std::atomic<bool> is_stopping_ = false;
    bool is_member_ = false;  // The latest beat was heard.
};

}  // namespace millrace
