#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "observe/series.hpp"

namespace millrace::observe {

// Every metric of the server: a member for each series, a function for each family with labels.
// Made once, in the wiring, and handed down; there is no global.
//
// A function finds the series of its labels, or makes it, under a lock: hot paths keep what it
// returns. Label values come from small fixed sets, never from users.
class Metrics {
    struct Registry;
    std::unique_ptr<Registry> registry_;  // First: the members below are made from it.

public:
    Metrics();
    ~Metrics();

    // Whole requests, by method, pattern of the route and status.
    Histogram& http_requests(std::string_view method, std::string_view path, int status);
    Gauge& http_connections;
    // Calls over gRPC that are under way; all of them, by name of the rpc and code of its status.
    Gauge& grpc_calls;
    Histogram& grpc_requests(std::string_view method, std::string_view code);

    // Requests that were not let in, by what was wrong with their key: missing, malformed, unknown,
    // wrong_secret, expired, revoked; limited when it was not even looked at.
    Counter& auth_failures(std::string_view reason);

    // From the moment a committer takes a command until it has its answer, by command:
    // instance.start, instance.complete_job and so on. Tries that failed are part of it.
    Histogram& db_transactions(std::string_view tx_type);
    // instance.for_update: until the rows of a batch were locked and read. job.poll_skip_locked: a
    // claim, which waits for nobody's locks.
    Histogram& db_lock_waits(std::string_view operation);
    Histogram& commit_batch_size;
    Histogram& batch_duration;   // Whole transactions of committers.
    Histogram& commit_duration;  // The part of them that follows the locks.
    // By how they ended: committed, aborted; unknown at first, and one of the others later.
    Counter& commits(std::string_view outcome);
    Gauge& commands_waiting;

    Counter& definitions_uploaded;
    Counter& instances_started;
    Counter& instances_completed(std::string_view outcome);
    Counter& steps_executed(std::string_view step_type);

    Counter& instances_removed;      // Because they had expired.
    Counter& executions_removed;     // The same.
    Counter& audit_entries_removed;  // The same, without those of dropped partitions.
    Counter& partitions_created;
    Counter& partitions_dropped;

    Counter& jobs_created;
    Counter& jobs_ended(std::string_view outcome);
    Counter& job_retries;
    Counter& job_timeouts;          // Leases that ran out.
    Counter& job_lock_conflicts;    // Polls that got nothing although jobs were waiting.
    Counter& job_empty_polls;       // Polls that got nothing because nothing was waiting.
    Histogram& job_pickup_latency;  // From a job's birth to its claim.
    Histogram& job_poll_latency;    // The same, under the name that dashboards know.
    Gauge& polls_parked;
    // By duty: timers, leases, delays. How long the oldest row is overdue that is not done yet, and
    // how many rows were set aside because they could not be done.
    Gauge& duty_overdue(std::string_view duty);
    Gauge& duty_set_aside(std::string_view duty);
    Counter& job_rechecks;  // Types looked at again although nothing was heard of them.

    // Between the replicas on one store.
    Counter& hints_sent;
    Counter& hints_received;
    Counter& hints_coalesced;  // Commits that shared the hint of another.
    Gauge& replicas_alive;     // This one included.
    Gauge& duty_lease_held;    // 1 where the duties of the cluster are done.

    // Connections to the database, by what they are for.
    Gauge& db_connections_open(std::string_view kind);
    Gauge& db_connections_busy(std::string_view kind);
    Counter& db_connects(std::string_view kind);
    Counter& db_connect_failures(std::string_view kind);

    // What the store says of itself, now and then. Tables are ours by name; owners are own and
    // foreign. A series that the store cannot tell of is not made.
    Gauge& db_size;
    Counter& db_statistics_failures;
    Counter& db_rows_unreadable;  // Each time that a batch needed one.
    Counter& db_log_bytes();
    Gauge& db_transaction_age(std::string_view owner);
    Gauge& db_snapshot_age(std::string_view owner);
    Gauge& db_table_size(std::string_view table);
    Gauge& db_table_live_rows(std::string_view table);
    Gauge& db_table_dead_rows(std::string_view table);
    Gauge& db_table_vacuum_age(std::string_view table);

    // The execution queue.
    Counter& queue_items_enqueued;
    Histogram& queue_batch_size;      // Items that one round took up.
    Histogram& queue_round_duration;  // Rounds that took something up.
    Counter& queue_rounds;            // All of them.
    Counter& queue_items_processed;   // Started, claimed or failed.
    Counter& queue_items_dispatched;
    Counter& queue_items_at_capacity;  // Passed over because their workspace is full.
    Counter& queue_items_failed(std::string_view reason);
    // Starts that an executor did not accept, by the code it gave.
    Counter& queue_dispatch_failures(std::string_view executor, std::string_view code);
    Histogram& queue_item_attempts;     // Failed starts of an item, when it is started or given up.
    Histogram& queue_dispatch_latency;  // From its enqueue until it is started.
    Counter& queue_stale_recoveries;    // Claims taken over from an owner that was lost.
    Counter& shedlock_failures;         // Times that somebody else had the lock.
    Gauge& queue_depth(std::string_view place);
    Gauge& queue_oldest_age;
    Gauge& queue_slots_used;
    Gauge& queue_slots_limit;  // Of workspaces that have one.
    Gauge& queue_dead_letters;
    Gauge& queue_breaker_open(std::string_view target);

    Counter& trace_spans_exported;
    // Spans that no collector got: queue_full, refused, unreachable.
    Counter& trace_spans_dropped(std::string_view reason);

    // All of it in the Prometheus text format, with what the kernel says about this process.
    std::string text() const;
};

}  // namespace millrace::observe
