#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "commit/command_queue.hpp"
#include "commit/committer.hpp"
#include "core/limits.hpp"
#include "dispatch/job_broker.hpp"
#include "engine/query_queue.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "runtime/loop_thread.hpp"
#include "scheduler/cluster_duties.hpp"
#include "scheduler/idempotency_forgetter.hpp"
#include "scheduler/lease_reaper.hpp"
#include "scheduler/timer_firer.hpp"
#include "server/duty_watch.hpp"
#include "server/housekeeping.hpp"
#include "server/loop_health.hpp"
#include "server/node_listener.hpp"
#include "server/queue_node.hpp"
#include "server/replica_link.hpp"
#include "server/statistics_sampler.hpp"
#include "server/trouble_log.hpp"
#include "store/database.hpp"

namespace millrace {

// The engine of one process on one database: committers, broker, duties and readers, each passive
// object with the thread that runs it. What speaks to the outside is put around it by serve().
class Node {
public:
    struct Options {
        Replica self{};  // How other replicas see this process, where there can be others.
        Backlog::Pace pace{};
        Housekeeping::Rules retention{};
        std::int64_t command_work_max = limits::kCommandWorkMax;
        QueueNode::Options queue{};
    };

    Node(Database& database, const Clock& clock, Random& random, observe::Metrics& metrics,
         const observe::Tracer& tracer, observe::Log& log, Options options);
    ~Node();

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
    bool is_healthy() const { return unhealthy_loops_ == 0; }

    // Before start: who wants to hear of keys that come or are revoked. Called by committers.
    void on_key_changed(NodeListener::KeyNote note) { listener_.set_key_note(std::move(note)); }

    // Threads begin to work.
    void start();
    // Answers those who wait for jobs.
    void answer_polls() { broker_.drain(); }
    // Finishes the commands that wait, then ends all threads. No command is accepted any more, and
    // none is tried any more after `give_up_at`.
    void stop(Instant give_up_at = Instant::max());

private:
    using Next = runtime::LoopThread::Next;

    void add_committers(std::int64_t command_work_max);
    void add_readers();
    void add_duties();
    std::unique_ptr<ReplicaLink> link_of(Replica self);
    void hear(const Hint& hint);
    LoopHealth& new_health(std::string loop, runtime::Backoff::Limits limits = {});
    Next dispatch(LoopHealth& health);
    Next run_duty(const std::function<DutyRound()>& run_once, LoopHealth& health);
    Next do_duties(LoopHealth& health);
    Next until(std::optional<Instant> at) const;

    Database& database_;
    const Clock& clock_;
    Random& random_;
    observe::Metrics& metrics_;
    observe::Log& log_;
    InstanceWatch watch_;
    TroubleLog unreadable_;
    NodeListener listener_;

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

    std::atomic<int> unhealthy_loops_ = 0;
    std::deque<LoopHealth> healths_;
    QueueNode queue_;
    // Last: they end before what they use. Made before any of them runs.
    std::vector<std::unique_ptr<runtime::LoopThread>> committer_threads_;
    std::vector<std::unique_ptr<runtime::LoopThread>> reader_threads_;
    runtime::LoopThread broker_thread_;
    runtime::LoopThread timer_thread_;
    runtime::LoopThread lease_thread_;
    runtime::LoopThread duty_thread_;
    runtime::LoopThread statistics_thread_;
};

}  // namespace millrace
