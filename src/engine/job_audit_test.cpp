#include "engine/job_audit.hpp"

#include <gtest/gtest.h>

#include "engine/audit_line.hpp"
#include "support/instances.hpp"

namespace millrace {
namespace {

Try ended(TryOutcome outcome, std::int64_t token, bool was_claimed = true) {
    Try attempt{.worker_id = kWorker,
                .lease_token = token,
                .ended_at = kNoon + std::chrono::seconds{10 * token + 5},
                .outcome = outcome};
    if (was_claimed) attempt.started_at = kNoon + std::chrono::seconds{10 * token};
    return attempt;
}

StepExecution step_of(JobState job_status, std::vector<Try> tries) {
    StepExecution step = closed_step(1);
    step.job_status = job_status;
    step.tries = std::move(tries);
    return step;
}

// "10 JOB_DISPATCHED 1, 15 JOB_COMPLETED 1": seconds after noon, kind, lease token.
std::string told(const std::vector<JobAuditEntry>& entries) {
    std::string text;
    for (const JobAuditEntry& entry : entries) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(entry.at - kNoon);
        text += (text.empty() ? "" : ", ") + std::to_string(seconds.count()) + " " +
                std::string(to_string(entry.kind)) + " " + std::to_string(entry.lease_token);
    }
    return text;
}

TEST(JobAuditTest, TellsWhatBecameOfEachTry) {
    using enum TryOutcome;
    struct Row {
        const char* name;
        StepExecution step;
        const char* expected;
    };
    const Row rows[] = {
        {"never claimed", step_of(JobState::cancelled, {}), ""},
        {"at once", step_of(JobState::completed, {ended(completed, 1)}),
         "10 JOB_DISPATCHED 1, 15 JOB_COMPLETED 1"},
        {"without a claim", step_of(JobState::completed, {ended(completed, 0, false)}),
         "5 JOB_COMPLETED 0"},
        {"after a failure", step_of(JobState::completed, {ended(failed, 1), ended(completed, 2)}),
         "10 JOB_DISPATCHED 1, 15 JOB_RETRIED 1, 20 JOB_DISPATCHED 2, 25 JOB_COMPLETED 2"},
        {"after a lost worker",
         step_of(JobState::completed, {ended(expired, 1), ended(completed, 2)}),
         "10 JOB_DISPATCHED 1, 15 JOB_RETRIED 1, 20 JOB_DISPATCHED 2, 25 JOB_COMPLETED 2"},
        {"after a time-out",
         step_of(JobState::completed, {ended(timed_out, 1), ended(completed, 2)}),
         "10 JOB_DISPATCHED 1, 15 JOB_RETRIED 1, 20 JOB_DISPATCHED 2, 25 JOB_COMPLETED 2"},
        {"failed for good", step_of(JobState::failed, {ended(failed, 1), ended(failed, 2)}),
         "10 JOB_DISPATCHED 1, 15 JOB_RETRIED 1, 20 JOB_DISPATCHED 2, 25 JOB_FAILED 2"},
        {"failed by a time-out", step_of(JobState::failed, {ended(timed_out, 1)}),
         "10 JOB_DISPATCHED 1, 15 JOB_FAILED 1"},
        {"cancelled between tries", step_of(JobState::cancelled, {ended(failed, 1)}),
         "10 JOB_DISPATCHED 1, 15 JOB_RETRIED 1"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        Instance over = waiting_instance(1);
        over.status = InstanceStatus::completed;
        EXPECT_EQ(told(job_audit({over, {row.step}}, {}, nullptr)), row.expected);
    }
}

TEST(JobAuditTest, TellsOfOpenStepsAndOfWhoHoldsTheirJobs) {
    Instance instance = waiting_instance(1);
    instance.state.open_steps.at(0).tries = {ended(TryOutcome::failed, 1)};
    Job held = locked_job(1);
    held.lease_token = 2;
    held.lease->locked_at = kNoon + 20s;
    EXPECT_EQ(told(job_audit({instance, {}}, {held}, nullptr)),
              "10 JOB_DISPATCHED 1, 15 JOB_RETRIED 1, 20 JOB_DISPATCHED 2");

    const JobAuditEntry last = job_audit({instance, {}}, {held}, nullptr).back();
    EXPECT_EQ(last.job, held.key);
    EXPECT_EQ(last.step_id, held.step_id);
    EXPECT_EQ(last.job_type, held.job_type);
    EXPECT_EQ(last.worker_id, held.lease->worker_id);

    Job kept_back = held;
    kept_back.lease->worker_id = {};
    for (const Job& nobodys : {kept_back, unlocked_job(1)}) {
        EXPECT_EQ(told(job_audit({instance, {}}, {nobodys}, nullptr)),
                  "10 JOB_DISPATCHED 1, 15 JOB_RETRIED 1");
    }
}

TEST(JobAuditTest, AJobThatEndedAMomentAgoIsToldOnce) {
    Job read_before = locked_job(1);
    read_before.lease_token = 1;
    Instance over = waiting_instance(1);
    over.status = InstanceStatus::completed;
    const StepExecution step = step_of(JobState::completed, {ended(TryOutcome::completed, 1)});
    EXPECT_EQ(told(job_audit({over, {step}}, {read_before}, nullptr)),
              "10 JOB_DISPATCHED 1, 15 JOB_COMPLETED 1");
}

TEST(JobAuditTest, KindsHaveNamesThatReadBack) {
    using enum JobAuditKind;
    for (const JobAuditKind kind : {dispatched, completed, failed, retried}) {
        EXPECT_EQ(parse_job_audit_kind(to_string(kind)), kind);
    }
    EXPECT_EQ(parse_job_audit_kind("JOB_CLAIMED"), std::nullopt);
}

TEST(AuditLineTest, WhatSomebodyDidStandsBeforeWhatCameOfIt) {
    const auto entry = [](std::uint64_t n, Instant at) {
        return AuditEntry{.key = {{Id128::for_instance(kNoon, n)}, kWorkspace}, .at = at};
    };
    const JobAuditEntry dispatched{.job = job_key(1), .lease_token = 1, .at = kNoon + 1s};
    const std::vector<AuditLine> lines =
        in_order({entry(3, kNoon + 2s), entry(2, kNoon + 1s)}, {dispatched});
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(std::get<AuditEntry>(lines[0]), entry(2, kNoon + 1s));
    EXPECT_EQ(std::get<JobAuditEntry>(lines[1]), dispatched);
    EXPECT_EQ(id_text(lines[0]), to_string(Id128::for_instance(kNoon, 2)));
    EXPECT_EQ(id_text(lines[1]), to_string(job_key(1).id.value) + ":1:JOB_DISPATCHED");
}

}  // namespace
}  // namespace millrace
