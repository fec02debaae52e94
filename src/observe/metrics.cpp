#include "observe/metrics.hpp"

#include <fmt/format.h>
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <deque>
#include <functional>
#include <map>

#include "base/mutex.hpp"
#include "observe/process_stats.hpp"

namespace millrace::observe {

namespace {

using Buckets = prometheus::Histogram::BucketBoundaries;
using Labels = prometheus::Labels;

const Buckets& seconds_buckets() {
    static const Buckets buckets{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
    return buckets;
}

const Buckets& pickup_buckets() {
    static const Buckets buckets{0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075,
                                 0.1,   0.25,  0.5,   1,    2.5,  5,    10};
    return buckets;
}

const Buckets& batch_buckets() {
    static const Buckets buckets{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    return buckets;
}

class PrometheusCounter final : public Counter {
public:
    explicit PrometheusCounter(prometheus::Counter& counter) : counter_(counter) {}
    void add(std::uint64_t count) override { counter_.Increment(static_cast<double>(count)); }
    void raise_to(std::uint64_t total) override {
        const MutexLock lock(mutex_);  // Two at once would both add the difference.
        const double behind = static_cast<double>(total) - counter_.Value();
        if (behind > 0) counter_.Increment(behind);
    }

private:
    Mutex mutex_;
    prometheus::Counter& counter_;
};

// One count that is exported under two names.
class TwinCounter final : public Counter {
public:
    TwinCounter(Counter& first, Counter& second) : first_(first), second_(second) {}
    void add(std::uint64_t count) override {
        first_.add(count);
        second_.add(count);
    }
    void raise_to(std::uint64_t total) override {
        first_.raise_to(total);
        second_.raise_to(total);
    }

private:
    Counter& first_;
    Counter& second_;
};

class PrometheusGauge final : public Gauge {
public:
    explicit PrometheusGauge(prometheus::Gauge& gauge) : gauge_(gauge) {}
    void set(std::int64_t value) override { gauge_.Set(static_cast<double>(value)); }
    void set_seconds(Duration duration) override {
        gauge_.Set(std::chrono::duration<double>(duration).count());
    }
    void add(std::int64_t change) override { gauge_.Increment(static_cast<double>(change)); }

private:
    prometheus::Gauge& gauge_;
};

class PrometheusHistogram final : public Histogram {
public:
    explicit PrometheusHistogram(prometheus::Histogram& histogram) : histogram_(histogram) {}
    using Histogram::record;
    void record(double value) override { histogram_.Observe(value); }

private:
    prometheus::Histogram& histogram_;
};

// One family and the series made of it so far.
template <class Foreign, class Ours>
class Series {
public:
    explicit Series(prometheus::Family<Foreign>& family) : family_(family) {}

    template <class... Extra>
    Ours& at(const Labels& labels, const Extra&... extra) {
        const MutexLock lock(mutex_);
        const auto found = made_.find(labels);
        if (found != made_.end()) return found->second;
        return made_.try_emplace(labels, family_.Add(labels, extra...)).first->second;
    }

private:
    prometheus::Family<Foreign>& family_;
    Mutex mutex_;
    std::map<Labels, Ours> made_ MILLRACE_GUARDED_BY(mutex_);
};

using Counters = Series<prometheus::Counter, PrometheusCounter>;
using Gauges = Series<prometheus::Gauge, PrometheusGauge>;
using Histograms = Series<prometheus::Histogram, PrometheusHistogram>;

void append_process(std::string& out) {
    const ProcessStats stats = read_process_stats();
    const auto gauge = [&out](std::string_view name, std::string_view type, double value) {
        fmt::format_to(std::back_inserter(out), "# TYPE {0} {1}\n{0} {2}\n", name, type, value);
    };
    gauge("process_cpu_seconds_total", "counter", stats.cpu_seconds);
    gauge("process_resident_memory_bytes", "gauge", stats.resident_bytes);
    gauge("process_virtual_memory_bytes", "gauge", stats.virtual_bytes);
    gauge("process_open_fds", "gauge", stats.open_files);
    gauge("process_max_fds", "gauge", stats.open_files_max);
    gauge("process_start_time_seconds", "gauge", stats.started_at_seconds);
}

}  // namespace

struct Metrics::Registry {
    Counter& counter(const std::string& name, const std::string& help) {
        auto& family = prometheus::BuildCounter().Name(name).Help(help).Register(all);
        return counters.emplace_back(family.Add({}));
    }
    Counter& twins(const std::string& name, const std::string& second, const std::string& help) {
        return twin_counters.emplace_back(counter(name, help), counter(second, help));
    }
    Gauge& gauge(const std::string& name, const std::string& help) {
        auto& family = prometheus::BuildGauge().Name(name).Help(help).Register(all);
        return gauges.emplace_back(family.Add({}));
    }
    Histogram& histogram(const std::string& name, const std::string& help, const Buckets& buckets) {
        auto& family = prometheus::BuildHistogram().Name(name).Help(help).Register(all);
        return histograms.emplace_back(family.Add({}, buckets));
    }

    prometheus::Registry all{};
    std::deque<PrometheusCounter> counters{};
    std::deque<TwinCounter> twin_counters{};
    std::deque<PrometheusGauge> gauges{};
    std::deque<PrometheusHistogram> histograms{};

    Histograms http_requests{prometheus::BuildHistogram()
                                 .Name("http_requests_duration_seconds")
                                 .Help("HTTP requests by method, route and status.")
                                 .Register(all)};
    Histograms grpc_requests{prometheus::BuildHistogram()
                                 .Name("grpc_requests_duration_seconds")
                                 .Help("gRPC requests by method and code.")
                                 .Register(all)};
    Histograms db_transactions{prometheus::BuildHistogram()
                                   .Name("engine_db_transaction_duration_seconds")
                                   .Help("Database transactions by the command they were for.")
                                   .Register(all)};
    Histograms db_lock_waits{prometheus::BuildHistogram()
                                 .Name("engine_db_lock_wait_duration_seconds")
                                 .Help("Time until row locks were granted.")
                                 .Register(all)};
    Counters auth_failures{prometheus::BuildCounter()
                               .Name("millrace_auth_failures_total")
                               .Help("Requests that were not let in, by reason.")
                               .Register(all)};
    Counters trace_spans_dropped{prometheus::BuildCounter()
                                     .Name("millrace_trace_spans_dropped_total")
                                     .Help("Spans that no collector got, by reason.")
                                     .Register(all)};
    Counters instances_completed{prometheus::BuildCounter()
                                     .Name("workflow_instances_completed_total")
                                     .Help("Instances that ended, by outcome.")
                                     .Register(all)};
    Counters steps_executed{prometheus::BuildCounter()
                                .Name("workflow_steps_executed_total")
                                .Help("Steps that ended, by type.")
                                .Register(all)};
    Counters commits{prometheus::BuildCounter()
                         .Name("millrace_commits_total")
                         .Help("Transactions of committers, by how they ended.")
                         .Register(all)};
    Counters jobs_ended{prometheus::BuildCounter()
                            .Name("millrace_jobs_ended_total")
                            .Help("Jobs that ended, by outcome.")
                            .Register(all)};
    Gauges db_connections_open{prometheus::BuildGauge()
                                   .Name("millrace_db_connections_open")
                                   .Help("Open connections to the database.")
                                   .Register(all)};
    Gauges db_connections_busy{prometheus::BuildGauge()
                                   .Name("millrace_db_connections_busy")
                                   .Help("Connections that wait for an answer.")
                                   .Register(all)};
    Counters db_connects{prometheus::BuildCounter()
                             .Name("millrace_db_connects_total")
                             .Help("Connections that were made.")
                             .Register(all)};
    Counters db_connect_failures{prometheus::BuildCounter()
                                     .Name("millrace_db_connect_failures_total")
                                     .Help("Connections that could not be made.")
                                     .Register(all)};
    Counters db_log_bytes{prometheus::BuildCounter()
                              .Name("millrace_db_wal_bytes_total")
                              .Help("Ever written to the write-ahead log of the database server.")
                              .Register(all)};
    Gauges duty_overdue{prometheus::BuildGauge()
                            .Name("millrace_overdue_seconds")
                            .Help("How long the oldest due row waits to be done.")
                            .Register(all)};
    Gauges duty_set_aside{prometheus::BuildGauge()
                              .Name("millrace_set_aside")
                              .Help("Due rows that could not be done and are tried again later.")
                              .Register(all)};
    Gauges db_transaction_age{prometheus::BuildGauge()
                                  .Name("millrace_db_transaction_age_seconds")
                                  .Help("Age of the oldest open transaction.")
                                  .Register(all)};
    Gauges db_snapshot_age{
        prometheus::BuildGauge()
            .Name("millrace_db_snapshot_age_transactions")
            .Help("Transactions since the oldest snapshot that holds back vacuum.")
            .Register(all)};
    Gauges db_table_size{prometheus::BuildGauge()
                             .Name("millrace_db_table_size_bytes")
                             .Help("Size of a table with its indexes.")
                             .Register(all)};
    Gauges db_table_live_rows{prometheus::BuildGauge()
                                  .Name("millrace_db_table_live_rows")
                                  .Help("Rows of a table, estimated.")
                                  .Register(all)};
    Gauges db_table_dead_rows{prometheus::BuildGauge()
                                  .Name("millrace_db_table_dead_rows")
                                  .Help("Rows that vacuum has yet to remove, estimated.")
                                  .Register(all)};
    Counters queue_items_failed{prometheus::BuildCounter()
                                    .Name("queue_items_failed_total")
                                    .Help("Executions given up before they ran, by reason.")
                                    .Register(all)};
    Counters queue_dispatch_failures{prometheus::BuildCounter()
                                         .Name("queue_dispatch_failures_total")
                                         .Help("Starts that an executor did not accept.")
                                         .Register(all)};
    Gauges queue_depth{prometheus::BuildGauge()
                           .Name("millrace_queue_depth")
                           .Help("Open executions by the line they stand in.")
                           .Register(all)};
    Gauges queue_breaker_open{
        prometheus::BuildGauge()
            .Name("millrace_queue_breaker_open")
            .Help("Whether a target is left alone because it does not answer.")
            .Register(all)};
    Gauges db_table_vacuum_age{prometheus::BuildGauge()
                                   .Name("millrace_db_table_vacuum_age_seconds")
                                   .Help("Time since a table was last vacuumed.")
                                   .Register(all)};
};

Metrics::Metrics()
    : registry_(std::make_unique<Registry>()),
      http_connections(registry_->gauge("millrace_http_connections", "Open HTTP connections.")),
      grpc_calls(registry_->gauge("millrace_grpc_calls", "gRPC calls under way.")),
      commit_batch_size(registry_->histogram("millrace_commit_batch_size",
                                             "Commands in one transaction.", batch_buckets())),
      batch_duration(registry_->histogram("millrace_batch_duration_seconds",
                                          "Transactions of committers, from begin to end.",
                                          pickup_buckets())),
      commit_duration(registry_->histogram("millrace_commit_duration_seconds",
                                           "Deciding, writing and committing a batch.",
                                           pickup_buckets())),
      commands_waiting(
          registry_->gauge("millrace_commands_waiting", "Commands that wait for a committer.")),
      definitions_uploaded(
          registry_->counter("workflow_definitions_uploaded_total", "Definitions uploaded.")),
      instances_started(registry_->counter("workflow_instances_started_total",
                                           "Instances started, chained ones included.")),
      instances_removed(registry_->counter("millrace_instances_removed_total",
                                           "Finished instances removed by retention.")),
      executions_removed(registry_->counter("millrace_executions_removed_total",
                                            "Ended executions removed by retention or a purge.")),
      audit_entries_removed(registry_->counter("millrace_audit_entries_removed_total",
                                               "Audit entries removed by retention.")),
      partitions_created(registry_->counter("millrace_partitions_created_total",
                                            "Partitions of history and audit made ahead.")),
      partitions_dropped(
          registry_->counter("millrace_partitions_dropped_total",
                             "Partitions of history and audit dropped when nothing needed them.")),
      jobs_created(registry_->counter("millrace_jobs_created_total", "Jobs created.")),
      job_retries(registry_->counter("job_retries_total", "Jobs put back in line by a failure.")),
      job_timeouts(registry_->counter("engine_job_timeout_total", "Leases that ran out.")),
      job_lock_conflicts(registry_->twins("job_lock_conflicts_total",
                                          "workflow_engine_job_lock_conflicts_total",
                                          "Polls that got nothing although jobs were waiting.")),
      job_empty_polls(registry_->counter("job_empty_polls_total",
                                         "Polls that got nothing because nothing was waiting.")),
      job_pickup_latency(registry_->histogram("engine_job_pickup_latency_seconds",
                                              "From a job's birth to its claim.",
                                              pickup_buckets())),
      job_poll_latency(registry_->histogram(
          "job_poll_latency_seconds", "From a job's birth to its first claim.", seconds_buckets())),
      polls_parked(registry_->gauge("millrace_polls_parked", "Polls that wait for a job.")),
      job_rechecks(registry_->counter("millrace_job_rechecks_total",
                                      "Types looked at again although nothing was heard of them.")),
      hints_sent(registry_->counter("millrace_hints_sent_total", "Hints to other replicas.")),
      hints_received(
          registry_->counter("millrace_hints_received_total", "Hints of other replicas.")),
      hints_coalesced(registry_->counter("millrace_hints_coalesced_total",
                                         "Commits that shared the hint of another.")),
      replicas_alive(
          registry_->gauge("millrace_replicas_alive", "Servers on this store, this one included.")),
      duty_lease_held(registry_->gauge("millrace_duty_lease_held",
                                       "Whether this server does the duties of the cluster.")),
      db_size(registry_->gauge("millrace_db_size_bytes", "Size of the database.")),
      db_statistics_failures(
          registry_->counter("millrace_db_statistics_failures_total",
                             "Times that the figures of the database could not be read.")),
      db_rows_unreadable(
          registry_->counter("millrace_db_rows_unreadable_total",
                             "Times that a batch needed a stored row that cannot be read.")),
      queue_items_enqueued(
          registry_->counter("millrace_queue_items_enqueued_total", "Executions enqueued.")),
      queue_batch_size(registry_->histogram("queue_processing_batch_size",
                                            "Executions that one round took up.", batch_buckets())),
      queue_round_duration(registry_->histogram(
          "queue_processing_duration_seconds", "Rounds that took something up.", pickup_buckets())),
      queue_rounds(registry_->counter("queue_processing_runs_total", "Rounds of the dispatcher.")),
      queue_items_processed(registry_->counter("queue_items_processed_total",
                                               "Executions started, claimed or given up.")),
      queue_items_dispatched(
          registry_->counter("queue_items_dispatched_total", "Executions started.")),
      queue_items_at_capacity(
          registry_->counter("queue_items_at_capacity_total",
                             "Executions passed over because their workspace is full.")),
      queue_item_attempts(registry_->histogram("queue_item_attempts",
                                               "Failed starts of an execution.",
                                               {0, 1, 2, 3, 5, 10, 20, 50, 100})),
      queue_dispatch_latency(registry_->histogram("millrace_queue_dispatch_latency_seconds",
                                                  "From the enqueue until the start.",
                                                  pickup_buckets())),
      queue_stale_recoveries(
          registry_->counter("queue_stale_recovery_count", "Claims taken over from a lost owner.")),
      shedlock_failures(registry_->counter("shedlock_acquisition_failures",
                                           "Times that somebody else had the lock.")),
      queue_oldest_age(registry_->gauge("millrace_queue_oldest_age_seconds",
                                        "How long the oldest waiting execution has waited.")),
      queue_slots_used(registry_->gauge("millrace_queue_slots_used", "Active executions.")),
      queue_slots_limit(registry_->gauge("millrace_queue_slots_limit",
                                         "Slots of busy workspaces that have a limit.")),
      queue_dead_letters(registry_->gauge("millrace_queue_dead_letters",
                                          "Failed executions that nobody has dealt with.")),
      trace_spans_exported(registry_->counter("millrace_trace_spans_exported_total",
                                              "Spans that a collector has taken.")) {
    // There from the start: a rise from nothing to something would not be seen as one.
    for (const char* reason : {"missing", "malformed", "unknown", "wrong_secret", "expired",
                               "revoked", "limited", "unknown_certificate"}) {
        auth_failures(reason);
    }
    for (const char* reason : {"queue_full", "refused", "unreachable"}) trace_spans_dropped(reason);
}

Metrics::~Metrics() = default;

Histogram& Metrics::http_requests(std::string_view method, std::string_view path, int status) {
    const Labels labels{{"method", std::string(method)},
                        {"path", std::string(path)},
                        {"status", std::to_string(status)}};
    return registry_->http_requests.at(labels, seconds_buckets());
}

Histogram& Metrics::grpc_requests(std::string_view method, std::string_view code) {
    const Labels labels{{"method", std::string(method)}, {"code", std::string(code)}};
    return registry_->grpc_requests.at(labels, seconds_buckets());
}

Counter& Metrics::auth_failures(std::string_view reason) {
    return registry_->auth_failures.at({{"reason", std::string(reason)}});
}

Histogram& Metrics::db_transactions(std::string_view tx_type) {
    return registry_->db_transactions.at({{"tx_type", std::string(tx_type)}}, seconds_buckets());
}

Histogram& Metrics::db_lock_waits(std::string_view operation) {
    return registry_->db_lock_waits.at({{"operation", std::string(operation)}}, seconds_buckets());
}

Counter& Metrics::commits(std::string_view outcome) {
    return registry_->commits.at({{"outcome", std::string(outcome)}});
}

Counter& Metrics::instances_completed(std::string_view outcome) {
    return registry_->instances_completed.at({{"outcome", std::string(outcome)}});
}

Counter& Metrics::steps_executed(std::string_view step_type) {
    return registry_->steps_executed.at({{"step_type", std::string(step_type)}});
}

Counter& Metrics::jobs_ended(std::string_view outcome) {
    return registry_->jobs_ended.at({{"outcome", std::string(outcome)}});
}

Gauge& Metrics::db_connections_open(std::string_view kind) {
    return registry_->db_connections_open.at({{"kind", std::string(kind)}});
}

Gauge& Metrics::db_connections_busy(std::string_view kind) {
    return registry_->db_connections_busy.at({{"kind", std::string(kind)}});
}

Counter& Metrics::db_connects(std::string_view kind) {
    return registry_->db_connects.at({{"kind", std::string(kind)}});
}

Counter& Metrics::db_connect_failures(std::string_view kind) {
    return registry_->db_connect_failures.at({{"kind", std::string(kind)}});
}

Counter& Metrics::db_log_bytes() {
    return registry_->db_log_bytes.at({});
}

Gauge& Metrics::duty_overdue(std::string_view duty) {
    return registry_->duty_overdue.at({{"duty", std::string(duty)}});
}

Gauge& Metrics::duty_set_aside(std::string_view duty) {
    return registry_->duty_set_aside.at({{"duty", std::string(duty)}});
}

Gauge& Metrics::db_transaction_age(std::string_view owner) {
    return registry_->db_transaction_age.at({{"owner", std::string(owner)}});
}

Gauge& Metrics::db_snapshot_age(std::string_view owner) {
    return registry_->db_snapshot_age.at({{"owner", std::string(owner)}});
}

Gauge& Metrics::db_table_size(std::string_view table) {
    return registry_->db_table_size.at({{"table", std::string(table)}});
}

Gauge& Metrics::db_table_live_rows(std::string_view table) {
    return registry_->db_table_live_rows.at({{"table", std::string(table)}});
}

Gauge& Metrics::db_table_dead_rows(std::string_view table) {
    return registry_->db_table_dead_rows.at({{"table", std::string(table)}});
}

Gauge& Metrics::db_table_vacuum_age(std::string_view table) {
    return registry_->db_table_vacuum_age.at({{"table", std::string(table)}});
}

Counter& Metrics::queue_items_failed(std::string_view reason) {
    return registry_->queue_items_failed.at({{"reason", std::string(reason)}});
}

Counter& Metrics::queue_dispatch_failures(std::string_view executor, std::string_view code) {
    return registry_->queue_dispatch_failures.at(
        {{"executor", std::string(executor)}, {"code", std::string(code)}});
}

Gauge& Metrics::queue_depth(std::string_view place) {
    return registry_->queue_depth.at({{"place", std::string(place)}});
}

Gauge& Metrics::queue_breaker_open(std::string_view target) {
    return registry_->queue_breaker_open.at({{"target", std::string(target)}});
}

Counter& Metrics::trace_spans_dropped(std::string_view reason) {
    return registry_->trace_spans_dropped.at({{"reason", std::string(reason)}});
}

std::string Metrics::text() const {
    std::string out = prometheus::TextSerializer().Serialize(registry_->all.Collect());
    append_process(out);
    return out;
}

}  // namespace millrace::observe
