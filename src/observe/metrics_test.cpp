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
    metrics.definitions_uploaded.add();
    metrics.instances_started.add(2);
    metrics.instances_completed("COMPLETED").add();
    metrics.steps_executed("SERVICE_TASK").add(5);
    metrics.auth_failures("revoked").add();
    metrics.job_retries.add();
    metrics.job_timeouts.add();
    metrics.job_lock_conflicts.add();
    metrics.job_rechecks.add(3);
    metrics.hints_sent.add(4);
    metrics.hints_received.add(5);
    metrics.hints_coalesced.add(6);
    metrics.replicas_alive.set(2);
    metrics.duty_lease_held.set(1);

    const std::string text = metrics.text();
    for (const char* line : {
             "millrace_http_connections 2",
             "millrace_commands_waiting 7",
             "millrace_polls_parked 8",
             "workflow_definitions_uploaded_total 1",
             "workflow_instances_started_total 2",
             R"(workflow_instances_completed_total{outcome="COMPLETED"} 1)",
             R"(workflow_steps_executed_total{step_type="SERVICE_TASK"} 5)",
             "millrace_auth_failures_total{reason=\"revoked\"} 1",
             "job_retries_total 1",
             "engine_job_timeout_total 1",
             "job_lock_conflicts_total 1",
             "millrace_job_rechecks_total 3",
             "millrace_hints_sent_total 4",
             "millrace_hints_received_total 5",
             "millrace_hints_coalesced_total 6",
             "millrace_replicas_alive 2",
             "millrace_duty_lease_held 1",
         }) {
        EXPECT_TRUE(has_line(text, line)) << line << "\n" << text;
    }
}

TEST(MetricsTest, SortsDurationsIntoBuckets) {
    Metrics metrics;
    metrics.http_requests("POST", "/v1/jobs/poll", 200).record(Duration(20ms));
    metrics.db_transactions("instance.start").record(Duration(3ms));
    metrics.db_lock_waits("instance.for_update").record(Duration(3ms));
    metrics.job_pickup_latency.record(Duration(1500us));
    metrics.job_poll_latency.record(Duration(2s));
    metrics.commit_batch_size.record(40.0);

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
