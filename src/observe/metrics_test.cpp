#include "observe/metrics.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace millrace::observe {
namespace {

using namespace std::chrono_literals;

bool has_line(const std::string& text, const std::string& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(MetricsTest, ShowsEverySeriesWithItsFirstValue) {
    Metrics metrics;
    metrics.http_connections.add(3);
    metrics.http_connections.add(-1);
    metrics.commands_waiting.set(7);
    metrics.polls_parked.set(8);
    metrics.duty_overdue("timers").set_seconds(2500ms);
    metrics.duty_set_aside("timers").set(3);
    metrics.definitions_uploaded.add();
    metrics.instances_started.add(2);
    metrics.instances_completed("COMPLETED").add();
    metrics.steps_executed("SERVICE_TASK").add(5);
    metrics.auth_failures("revoked").add();
    metrics.instances_removed.add(200);
    metrics.audit_entries_removed.add(9);
    metrics.partitions_created.add();
    metrics.partitions_dropped.add(2);
    metrics.job_retries.add();
    metrics.job_timeouts.add();
    metrics.job_lock_conflicts.add();
    metrics.job_rechecks.add(3);
    metrics.hints_sent.add(4);
    metrics.hints_received.add(5);
    metrics.hints_coalesced.add(6);
    metrics.replicas_alive.set(2);
    metrics.duty_lease_held.set(1);
    metrics.job_empty_polls.add(2);
    metrics.jobs_created.add(4);
    metrics.jobs_ended("FAILED").add();
    metrics.commits("unknown").add();
    metrics.db_connections_open("reader").set(5);
    metrics.db_connections_busy("reader").set(1);
    metrics.db_connects("reader").raise_to(6);
    metrics.db_connect_failures("reader").raise_to(2);
    metrics.db_size.set(4096);
    metrics.db_statistics_failures.add();
    metrics.db_rows_unreadable.add(2);
    metrics.db_log_bytes().raise_to(1'000);
    metrics.db_transaction_age("foreign").set_seconds(1500ms);
    metrics.db_snapshot_age("own").set(12);
    metrics.db_table_size("job").set(8192);
    metrics.db_table_live_rows("job").set(3);
    metrics.db_table_dead_rows("job").set(4);
    metrics.db_table_vacuum_age("job").set_seconds(60s);
    metrics.trace_spans_exported.add(9);
    metrics.trace_spans_dropped("refused").add(3);

    const std::string text = metrics.text();
    for (const char* line : {
             "millrace_http_connections 2",
             "millrace_commands_waiting 7",
             "millrace_polls_parked 8",
             R"(millrace_overdue_seconds{duty="timers"} 2.5)",
             R"(millrace_set_aside{duty="timers"} 3)",
             "workflow_definitions_uploaded_total 1",
             "workflow_instances_started_total 2",
             R"(workflow_instances_completed_total{outcome="COMPLETED"} 1)",
             R"(workflow_steps_executed_total{step_type="SERVICE_TASK"} 5)",
             "millrace_auth_failures_total{reason=\"revoked\"} 1",
             "millrace_instances_removed_total 200",
             "millrace_audit_entries_removed_total 9",
             "millrace_partitions_created_total 1",
             "millrace_partitions_dropped_total 2",
             "job_retries_total 1",
             "engine_job_timeout_total 1",
             "job_lock_conflicts_total 1",
             "millrace_job_rechecks_total 3",
             "millrace_hints_sent_total 4",
             "millrace_hints_received_total 5",
             "millrace_hints_coalesced_total 6",
             "millrace_replicas_alive 2",
             "millrace_duty_lease_held 1",
             "workflow_engine_job_lock_conflicts_total 1",
             "job_empty_polls_total 2",
             "millrace_jobs_created_total 4",
             R"(millrace_jobs_ended_total{outcome="FAILED"} 1)",
             R"(millrace_commits_total{outcome="unknown"} 1)",
             R"(millrace_db_connections_open{kind="reader"} 5)",
             R"(millrace_db_connections_busy{kind="reader"} 1)",
             R"(millrace_db_connects_total{kind="reader"} 6)",
             R"(millrace_db_connect_failures_total{kind="reader"} 2)",
             "millrace_db_size_bytes 4096",
             "millrace_db_statistics_failures_total 1",
             "millrace_db_rows_unreadable_total 2",
             "millrace_db_wal_bytes_total 1000",
             R"(millrace_db_transaction_age_seconds{owner="foreign"} 1.5)",
             R"(millrace_db_snapshot_age_transactions{owner="own"} 12)",
             R"(millrace_db_table_size_bytes{table="job"} 8192)",
             R"(millrace_db_table_live_rows{table="job"} 3)",
             R"(millrace_db_table_dead_rows{table="job"} 4)",
             R"(millrace_db_table_vacuum_age_seconds{table="job"} 60)",
             "millrace_trace_spans_exported_total 9",
             R"(millrace_trace_spans_dropped_total{reason="refused"} 3)",
         }) {
        EXPECT_TRUE(has_line(text, line)) << line << "\n" << text;
    }
}

TEST(MetricsTest, ATotalThatIsCountedElsewhereNeverGoesBack) {
    Metrics metrics;
    for (const std::uint64_t total : {7u, 9u, 2u}) metrics.db_connects("claimer").raise_to(total);
    EXPECT_TRUE(has_line(metrics.text(), R"(millrace_db_connects_total{kind="claimer"} 9)"));
}

TEST(MetricsTest, SortsDurationsIntoBuckets) {
    Metrics metrics;
    metrics.http_requests("POST", "/v1/jobs/poll", 200).record(Duration(20ms));
    metrics.db_transactions("instance.start").record(Duration(3ms));
    metrics.db_lock_waits("instance.for_update").record(Duration(3ms));
    metrics.job_pickup_latency.record(Duration(1500us));
    metrics.job_poll_latency.record(Duration(2s));
    metrics.commit_batch_size.record(40.0);
    metrics.batch_duration.record(Duration(4ms));
    metrics.commit_duration.record(Duration(3ms));

    const std::string text = metrics.text();
    const std::string labels = R"(method="POST",path="/v1/jobs/poll",status="200")";
    for (const std::string& line : {
             "http_requests_duration_seconds_count{" + labels + "} 1",
             "http_requests_duration_seconds_bucket{" + labels + R"(,le="0.01"} 0)",
             "http_requests_duration_seconds_bucket{" + labels + R"(,le="0.025"} 1)",
             std::string(R"(engine_db_transaction_duration_seconds_count)"
                         R"({tx_type="instance.start"} 1)"),
             std::string(R"(engine_db_lock_wait_duration_seconds_count)"
                         R"({operation="instance.for_update"} 1)"),
             std::string(R"(engine_job_pickup_latency_seconds_bucket{le="0.002"} 1)"),
             std::string(R"(job_poll_latency_seconds_bucket{le="2.5"} 1)"),
             std::string(R"(millrace_commit_batch_size_bucket{le="50"} 1)"),
             std::string(R"(millrace_batch_duration_seconds_count 1)"),
             std::string(R"(millrace_commit_duration_seconds_count 1)"),
         }) {
        EXPECT_TRUE(has_line(text, line)) << line << "\n" << text;
    }
}

TEST(MetricsTest, GivesTheSameSeriesForTheSameLabelsToAllThreads) {
    Metrics metrics;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&metrics] {
                for (int n = 0; n < 1'000; ++n) metrics.steps_executed("END").add();
            });
        }
    }
    EXPECT_TRUE(has_line(metrics.text(), R"(workflow_steps_executed_total{step_type="END"} 4000)"));
    EXPECT_EQ(&metrics.steps_executed("END"), &metrics.steps_executed("END"));
}

TEST(MetricsTest, TellsAboutTheProcess) {
    const std::string text = Metrics().text();
    EXPECT_NE(text.find("\nprocess_resident_memory_bytes "), std::string::npos);
    EXPECT_NE(text.find("\nprocess_cpu_seconds_total "), std::string::npos);
}

}  // namespace
}  // namespace millrace::observe
