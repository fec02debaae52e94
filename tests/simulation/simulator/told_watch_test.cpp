// Goal: what callers are told is held against what was committed.
// Method: a good start; an answer that does not fit it.

#include "simulator/told_watch.hpp"

#include "dispatch/job_broker.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/change_variables.hpp"
#include "engine/complete_job.hpp"
#include "engine/complete_user_task.hpp"
#include "engine/start_instance.hpp"
#include "engine/upload_definition.hpp"
#include "queue/cancel_execution.hpp"
#include "queue/retry_execution.hpp"
#include "simulator/invariants_scene.hpp"
#include "simulator/told_values.hpp"

namespace millrace::sim {
namespace {

constexpr Outcome kOk{Outcome::Kind::ok};
constexpr Outcome kRefused{Outcome::Kind::error, ErrorCode::unavailable};

template <class Request>
Told told(Request request, Outcome outcome, std::any answer) {
    return {.command = Request::kName,
            .workspace_id = kWorkspace,
            .outcome = outcome,
            .request = std::move(request),
            .answer = std::move(answer)};
}

struct Lie {
    std::string name{};
    std::function<Told(Scene&)> call{};
    std::string sentence{};
};

std::ostream& operator<<(std::ostream& out, const Lie& lie) {
    return out << lie.name;
}

StartInstance start_of(std::uint64_t n) {
    return {.key = instance_key(n)};
}

PollJobs poll_of(const WorkerId& worker) {
    return {.workspace_id = kWorkspace, .worker_id = worker, .job_types = {kCharge}, .jobs_max = 1};
}

Told poll_told(const PollJobs& request, std::vector<DeliveredJob> jobs) {
    return {.command = "job.poll", .outcome = kOk, .request = request, .answer = std::move(jobs)};
}

DeliveredJob delivered() {
    return {locked_job(1), waiting_instance(1).variables};
}

const std::vector<Lie> kLies{
    {"AcknowledgedAndLost", [](Scene&) { return told(start_of(9), kOk, waiting_instance(9)); },
     "is not there"},
    {"RefusedAndDone", [](Scene&) { return told(start_of(1), kRefused, Error{}); },
     "its start was refused"},
    {"AnotherWorkspace",
     [](Scene&) {
         Instance other = waiting_instance(1);
         other.key.workspace_id = {"default"};
         return told(start_of(1), kOk, other);
     },
     "another workspace"},
    {"JobNotOver", [](Scene&) { return told(CompleteJob{.job = job_key(1)}, kOk, locked_job(1)); },
     "is not over"},
    {"JobUnderAnotherToken",
     [](Scene& scene) {
         scene.complete();
         return told(CompleteJob{.job = job_key(1), .proof = {kWorker, 7}}, kOk, locked_job(1));
     },
     "another lease token"},
    {"NotCancelled",
     [](Scene&) {
         return told(CancelInstance{.instance = instance_key(1)}, kOk, waiting_instance(1));
     },
     "not CANCELLED"},
    {"TaskNotDone",
     [](Scene&) {
         return told(CompleteUserTask{.instance = instance_key(2), .step_id = "approve"}, kOk,
                     Scene::at_task());
     },
     "has ended 0 times"},
    {"VariablesNotChanged",
     [](Scene&) {
         Instance answer = waiting_instance(1);
         answer.state.variables_version = 5;
         return told(ChangeVariables{.instance = instance_key(1)}, kOk, answer);
     },
     "were not changed"},
    {"AnotherVersionChanged",
     [](Scene& scene) {
         Instance answer = waiting_instance(1);
         answer.state.variables_version = 5;
         scene.ledger.apply({.instances_changed = {answer}}, kNoon);
         return told(ChangeVariables{.instance = instance_key(1), .expected_version = 3}, kOk,
                     answer);
     },
     "than the one that was meant"},
    {"DefinitionLost",
     [](Scene&) {
         return told(UploadDefinition{.workspace_id = kWorkspace, .id = "no"}, kOk,
                     UploadedDefinition{.id = "no", .version = 1});
     },
     "is not there"},
    {"ExecutionGoesOn",
     [](Scene& scene) {
         scene.do_well({.executions_new = {{waiting_execution(), {}}}});
         return told(CancelExecution{.key = execution_key(1)}, kOk, CancelledExecution{});
     },
     "goes on"},
    {"RetryLost",
     [](Scene&) {
         return told(RetryExecution{.key = execution_key(1), .new_id = execution_key(2).id}, kOk,
                     waiting_execution(2));
     },
     "is not there"},
    {"JobOfAStranger", [](Scene&) { return poll_told(poll_of(kOtherWorker), {delivered()}); },
     "another than its holder"},
    {"JobOfAnotherTenant",
     [](Scene&) {
         PollJobs request = poll_of(kWorker);
         request.workspace_id = WorkspaceId{"default"};
         return poll_told(request, {delivered()});
     },
     "went to a stranger"},
    {"JobWithoutClaim",
     [](Scene&) {
         DeliveredJob job = delivered();
         job.job.lease_token = 2;
         return poll_told(poll_of(kWorker), {job});
     },
     "without a claim"},
    {"JobTwice",
     [](Scene&) {
         PollJobs request = poll_of(kWorker);
         request.jobs_max = 2;
         return poll_told(request, {delivered(), delivered()});
     },
     "delivered twice"},
    {"TooManyJobs",
     [](Scene&) {
         return poll_told(poll_of(kWorker), {delivered(), delivered()});
     },
     "more jobs than it asked for"},
    {"OtherVariablesDelivered",
     [](Scene&) {
         DeliveredJob job = delivered();
         job.variables = {};
         return poll_told(poll_of(kWorker), {job});
     },
     "other variables"},
};

class ToldWatchSees : public testing::TestWithParam<Lie> {};

TEST_P(ToldWatchSees, WhatIsNotSo) {
    Scene scene;
    Findings findings;
    ToldWatch watch(scene.ledger, findings);
    // The job that the scene began with, as the ledger tells of it.
    const Writes nothing;
    Changes began{.at = kNoon, .writes = &nothing};
    began.jobs.push_back({{}, scene.ledger.find(job_key(1))});
    watch.on_applied(began);
    const Told call = GetParam().call(scene);
    watch.on_asked(call);
    watch.on_told(call);
    const std::string found = findings.first().value_or("nothing");
    EXPECT_NE(found.find(GetParam().sentence), std::string::npos) << found;
}

std::string name_of_lie(const testing::TestParamInfo<Lie>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Lies, ToldWatchSees, testing::ValuesIn(kLies), name_of_lie);

Told start_under_key(std::uint64_t n, const std::string& key) {
    Told call = told(start_of(n), kOk, waiting_instance(n));
    call.idempotency_key = key;
    return call;
}

TEST(ToldWatch, SeesTwoEffectsOfOneKey) {
    Scene scene;
    Findings findings;
    ToldWatch watch(scene.ledger, findings);
    for (const std::uint64_t n : {8u, 9u}) {
        watch.on_asked(start_under_key(n, "k"));
        const Writes writes{.instances_new = {waiting_instance(n, kOrder)}};
        watch.on_applied(scene.ledger.apply(writes, kNoon));
    }
    EXPECT_NE(findings.first().value_or("").find("second effect"), std::string::npos);
}

TEST(ToldWatch, SeesTwoAnswersUnderOneKey) {
    Scene scene;
    Findings findings;
    ToldWatch watch(scene.ledger, findings);
    watch.on_told(start_under_key(1, "k"));
    watch.on_told(start_under_key(2, "k"));
    EXPECT_NE(findings.first().value_or("").find("two different ids"), std::string::npos);
}

}  // namespace
}  // namespace millrace::sim
