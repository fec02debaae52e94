#pragma once

#include <memory>
#include <span>
#include <vector>

#include "commit/command_queue.hpp"
#include "commit/committer.hpp"
#include "core/limits.hpp"
#include "dispatch/job_broker.hpp"
#include "engine/query_queue.hpp"
#include "node/duty_watch.hpp"
#include "node/housekeeping.hpp"
#include "node/listeners.hpp"
#include "node/loop_set.hpp"
#include "node/node_context.hpp"
#include "node/node_listener.hpp"
#include "node/queue_node.hpp"
#include "node/replica_link.hpp"
#include "node/statistics_sampler.hpp"
#include "node/trouble_log.hpp"
#include "runtime/loop_runner.hpp"
#include "scheduler/cluster_duties.hpp"
#include "scheduler/idempotency_forgetter.hpp"
#include "scheduler/lease_reaper.hpp"
#include "scheduler/timer_firer.hpp"

namespace millrace {

// The whole engine of one process on one database: committers, broker, duties, readers and the
// execution queue, wired together here and nowhere else. Passive: it lists its loops, and a runner
// calls them, on threads in the server, one at a time and in any order in tests and the simulator.
// serve() puts around it what speaks to the outside.
class Node {
public:
    struct Options {
        Replica self{};  // How other replicas see this process, where there can be others.
        Backlog::Pace pace{};
        Housekeeping::Rules retention{};
        std::int64_t command_work_max = limits::kCommandWorkMax;
        QueueNode::Options queue{};
        // Who else wants to hear what happens here, after the node's own parts. They outlive it.
        std::vector<CommitListener*> commit_listeners{};
        std::vector<DispatchListener*> dispatch_listeners{};
    };

    Node(const NodeContext& context, Options options);

    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    CommandQueue& commands() { return commands_; }
    QueryQueue& queries() { return queries_; }
    JobBroker& broker() { return broker_; }
    InstanceWatch& watch() { return watch_; }
    ProcessFacts facts() const { return queue_.facts(); }

    // Brings the gauges up to date, for a scrape.
    void measure();

    // Whether the database answered when it was last used.
    bool is_healthy() const { return loops_.is_healthy(); }

    // Before anything runs: who wants to hear of keys that come or are revoked.
    void on_key_changed(NodeListener::KeyNote note) { listener_.add_key_note(std::move(note)); }

    std::span<runtime::Loop* const> loops() const { return loops_.all(); }

    // Answers those who wait for jobs.
    void answer_polls() { broker_.drain(); }

    void start(runtime::LoopRunner& runner);
    // Finishes the commands and questions that wait, then ends all loops. None is accepted any
    // more, and none is tried any more after `give_up_at`.
    void stop(runtime::LoopRunner& runner, Instant give_up_at = Instant::max());

private:
    void add_committers(std::int64_t command_work_max);
    void add_readers();
    void add_duties();
    NodeListener::Notes notes();
    std::unique_ptr<ReplicaLink> link_of(Replica self);
    void hear(const Hint& hint);

    const NodeContext context_;
    InstanceWatch watch_;
    TroubleLog unreadable_;
    NodeListener listener_;
    CommitListeners commit_listeners_;
    DispatchListeners dispatch_listeners_;

    // Before the parts: these wake their loops until the end.
    LoopSet loops_;
    std::vector<runtime::Loop*> committer_loops_;
    std::vector<runtime::Loop*> reader_loops_;
    runtime::Loop& broker_loop_;
    runtime::Loop& timer_loop_;
    runtime::Loop& lease_loop_;
    runtime::Loop& duty_loop_;

    CommandQueue commands_;
    QueryQueue queries_;

    std::unique_ptr<JobClaimer> claimer_;
    JobBroker broker_;

    std::vector<std::unique_ptr<BatchStore>> batch_stores_;
    std::vector<std::unique_ptr<Committer>> committers_;
    std::vector<std::unique_ptr<Reader>> readers_;
    std::unique_ptr<Reader> timer_reader_;
    std::unique_ptr<Reader> lease_reader_;
    std::unique_ptr<Reader> idempotency_reader_;
    DutyWatch timer_watch_;
    DutyWatch lease_watch_;
    TimerFirer timer_firer_;
    LeaseReaper lease_reaper_;
    IdempotencyForgetter idempotency_forgetter_;
    Housekeeping housekeeping_;
    std::unique_ptr<ReplicaLink> link_;  // Null on a store that is this process's alone.
    ClusterDuties duties_;
    StatisticsSampler statistics_sampler_;
    runtime::Loop& statistics_loop_;
    QueueNode queue_;
};

}  // namespace millrace
