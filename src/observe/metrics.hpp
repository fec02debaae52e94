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

    // Requests that were not let in, by what was wrong with their key: missing, malformed, unknown,
    // wrong_secret, expired, revoked; limited when it was not even looked at.
    Counter& auth_failures(std::string_view reason);

    // How long transactions take, by the command that they were for: instance.start,
    // instance.complete_job and so on.
    Histogram& db_transactions(std::string_view tx_type);
    // Waiting for row locks: instance.for_update, job.poll_skip_locked.
    Histogram& db_lock_waits(std::string_view operation);
    Histogram& commit_batch_size;
    Gauge& commands_waiting;

    Counter& definitions_uploaded;
    Counter& instances_started;
    Counter& instances_completed(std::string_view outcome);
    Counter& steps_executed(std::string_view step_type);

    Counter& job_retries;
    Counter& job_timeouts;          // Leases that ran out.
    Counter& job_lock_conflicts;    // Polls that got nothing although jobs were waiting.
    Histogram& job_pickup_latency;  // From a job's birth to its claim.
    Histogram& job_poll_latency;    // The same, under the name that dashboards know.
    Gauge& polls_parked;
    Counter& job_rechecks;  // Types looked at again although nothing was heard of them.

    // Between the replicas on one store.
    Counter& hints_sent;
    Counter& hints_received;
    Counter& hints_coalesced;  // Commits that shared the hint of another.
    Gauge& replicas_alive;     // This one included.
    Gauge& duty_lease_held;    // 1 where the duties of the cluster are done.

    // All of it in the Prometheus text format, with what the kernel says about this process.
    std::string text() const;
};

}  // namespace millrace::observe
