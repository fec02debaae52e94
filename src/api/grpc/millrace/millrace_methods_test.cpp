// Goal: what REST does is done over millrace.v1 by the same handlers. Method: messages through the
// methods to the routes of an engine in memory, and the answers back.

#include "api/grpc/millrace/millrace_methods.hpp"

#include <gtest/gtest.h>
#include <millrace/v1/administration.pb.h>
#include <millrace/v1/dead_letters.pb.h>
#include <millrace/v1/definitions.pb.h>
#include <millrace/v1/executions.pb.h>
#include <millrace/v1/instances.pb.h>
#include <millrace/v1/jobs.pb.h>
#include <millrace/v1/user_tasks.pb.h>
#include <millrace/v1/workspaces.pb.h>

#include <set>

#include "core/limits.hpp"
#include "support/proto_messages.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rpc {
namespace {

// A task, then a person, then a signal. Members in no order that a map would have.
constexpr const char* kOrder =
    R"({"name":"Order","id":"order","steps":[)"
    R"({"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"pay","nextStep":"approve"},)"
    R"({"id":"approve","name":"Approve","type":"USER_TASK","nextStep":"shipped"},)"
    R"({"id":"shipped","name":"Shipped","type":"WAIT","nextStep":"done"},)"
    R"({"id":"done","name":"Done","type":"END"}]})";

constexpr const char* kBig = R"({"z":9007199254740993,"a":{"y":1.5,"b":null}})";

class MillraceMethodsTest : public testing::Test {
protected:
    std::shared_ptr<FakeExchange> send(const std::string& name, const pb::Message& request,
                                       const http::HttpHeaders& headers = {}) {
        const Result<RestCall> call =
            millrace_method_named(name).to_call(request.SerializeAsString());
        EXPECT_TRUE(call) << call.error().detail;
        const std::string query = call->query.empty() ? "" : "?" + call->query;
        return engine_.send(call->method, call->path + query, call->body, headers,
                            millrace_method_named(name).client());
    }

    template <class Reply>
    Reply call(const std::string& name, const pb::Message& request,
               const http::HttpHeaders& headers = {}) {
        const auto exchange = send(name, request, headers);
        Reply reply;
        if (!exchange->answer() || exchange->answer()->status >= 400) {
            ADD_FAILURE() << name << ": " << RestEngine::answer_of(*exchange).text;
            return reply;
        }
        const Result<std::string> bytes = millrace_method_named(name).to_reply(*exchange->answer());
        EXPECT_TRUE(bytes && reply.ParseFromString(*bytes)) << name;
        return reply;
    }

    int status_of(const std::string& name, const pb::Message& request) {
        return send(name, request)->answer()->status;
    }

    void upload() {
        v1::UploadDefinitionRequest upload;
        upload.set_document(kOrder);
        const auto stored = call<v1::DefinitionSummary>("Definitions/UploadDefinition", upload);
        EXPECT_EQ(stored.id(), "order");
        EXPECT_EQ(stored.version(), 1);
        EXPECT_GT(stored.uploaded_at().seconds(), 0);
    }

    v1::Instance start() {
        v1::StartInstanceRequest request;
        request.set_definition_id("order");
        request.set_variables(kBig);
        request.set_business_key("order-17");
        return call<v1::Instance>("Instances/StartInstance", request);
    }

    v1::DeliveredJob poll() {
        v1::PollJobsRequest request;
        request.set_worker_id("w1");
        request.add_job_types("pay");
        const auto polled = call<v1::PollJobsResponse>("Jobs/PollJobs", request);
        EXPECT_EQ(polled.jobs_size(), 1);
        return polled.jobs_size() == 1 ? polled.jobs(0) : v1::DeliveredJob();
    }

    void complete(const v1::DeliveredJob& job) {
        v1::CompleteJobRequest request;
        request.set_id(job.id());
        request.set_worker_id("w1");
        request.set_lease_token(job.lease_token());
        request.set_variables(R"({"paid":true})");
        call<v1::CompleteJobResponse>("Jobs/CompleteJob", request);
    }

    // The one job of a run fails for good, and the run with it.
    void fail_run(const std::string& execution_id) {
        v1::FailJobRequest fail;
        fail.set_id(poll().id());
        fail.set_worker_id("w1");
        fail.set_error_message("out of paper");
        call<v1::FailJobResponse>("Jobs/FailJob", fail);
        v1::GetExecutionRequest get;
        get.set_id(execution_id);
        const auto failed = call<v1::Execution>("Executions/GetExecution", get);
        EXPECT_EQ(failed.status(), v1::EXECUTION_STATUS_FAILED);
        EXPECT_EQ(failed.input(), kBig);
    }

    RestEngine engine_;
};

TEST_F(MillraceMethodsTest, EachHasANameOfItsOwn) {
    std::set<std::string> names;
    for (const auto& each : all_millrace_methods()) {
        EXPECT_TRUE(names.insert(each->name()).second) << each->name();
        EXPECT_EQ(each->is_server_stream(), each->reply_stream() != nullptr) << each->name();
    }
    EXPECT_GT(names.size(), 60u);
}

TEST_F(MillraceMethodsTest, ADefinitionComesBackAsItsAuthorWroteIt) {
    upload();
    v1::GetDefinitionRequest request;
    request.set_id("order");
    const auto definition = call<v1::Definition>("Definitions/GetDefinition", request);
    EXPECT_EQ(definition.name(), "Order");
    EXPECT_EQ(definition.version(), 1);
    EXPECT_EQ(definition.document().find(R"({"name":"Order","id":"order")"), 0u)
        << definition.document();
}

TEST_F(MillraceMethodsTest, CarriesAnInstanceFromStartToEnd) {
    upload();
    const v1::Instance started = start();
    EXPECT_EQ(started.status(), v1::INSTANCE_STATUS_ACTIVE);
    EXPECT_EQ(started.variables(), kBig);
    EXPECT_EQ(started.business_key(), "order-17");
    EXPECT_FALSE(started.has_failure_reason());

    const v1::DeliveredJob job = poll();
    EXPECT_EQ(job.variables(), kBig);
    EXPECT_EQ(job.status(), v1::JOB_STATUS_LOCKED);
    EXPECT_EQ(job.instance_id(), started.id());
    complete(job);

    v1::CompleteUserTaskOfStepRequest task;
    task.set_id(started.id());
    task.set_step_id("approve");
    task.set_user_id("ada");
    call<v1::CompleteUserTaskResponse>("UserTasks/CompleteUserTaskOfStep", task);
    v1::SignalWaitRequest signal;
    signal.set_id(started.id());
    signal.set_step_id("shipped");
    signal.set_variables(R"({"by":"sea"})");
    call<v1::SignalWaitResponse>("Instances/SignalWait", signal);

    v1::GetInstanceRequest get;
    get.set_id(started.id());
    const auto ended = call<v1::Instance>("Instances/GetInstance", get);
    EXPECT_EQ(ended.status(), v1::INSTANCE_STATUS_COMPLETED);
    EXPECT_EQ(ended.variables(),
              R"({"z":9007199254740993,"a":{"y":1.5,"b":null},"paid":true,"by":"sea"})");
    EXPECT_TRUE(ended.has_completed_at());

    v1::GetHistoryRequest history;
    history.set_id(started.id());
    const auto steps = call<v1::History>("Instances/GetHistory", history);
    ASSERT_EQ(steps.items_size(), 4);
    EXPECT_EQ(steps.items(0).step_type(), v1::STEP_TYPE_SERVICE_TASK);
    EXPECT_EQ(steps.items(0).job_id(), job.id());
    EXPECT_EQ(steps.items(0).tries(0).outcome(), v1::TRY_OUTCOME_COMPLETED);
    EXPECT_EQ(steps.items(1).completed_by(), "ada");
    EXPECT_FALSE(steps.items(3).has_failure_reason());
}

TEST_F(MillraceMethodsTest, ReleasesJobs) {
    upload();
    const v1::Instance started = start();
    const v1::DeliveredJob job = poll();
    v1::ReleaseJobRequest release;
    release.set_id(job.id());
    release.set_worker_id("w1");
    release.set_lease_token(job.lease_token());
    release.set_reason("no room");
    call<v1::ReleaseJobResponse>("Jobs/ReleaseJob", release);

    v1::ReleaseJobsRequest batch;
    v1::JobRelease& again = *batch.add_jobs();
    again.set_job_id(job.id());
    again.set_lease_token(job.lease_token());
    batch.add_jobs()->set_job_id("nonsense");
    const auto results = call<v1::JobResults>("Jobs/ReleaseJobs", batch);
    ASSERT_EQ(results.results_size(), 2);
    EXPECT_EQ(results.results(0).status(), 204);
    EXPECT_EQ(results.results(1).status(), 404);

    v1::GetJobRequest get;
    get.set_id(job.id());
    const auto shown = call<v1::Job>("Jobs/GetJob", get);
    EXPECT_EQ(shown.status(), v1::JOB_STATUS_UNLOCKED);
    ASSERT_EQ(shown.tries_size(), 1);
    EXPECT_EQ(shown.tries(0).outcome(), v1::TRY_OUTCOME_RELEASED);
    EXPECT_EQ(shown.tries(0).message(), "no room");
}

TEST_F(MillraceMethodsTest, AFailureMayAskForItsOwnDelay) {
    v1::UploadDefinitionRequest retried;
    retried.set_document(R"({"name":"Order","id":"order","steps":[
        {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"pay","retryCount":1,
         "nextStep":"done"},{"id":"done","name":"Done","type":"END"}]})");
    call<v1::DefinitionSummary>("Definitions/UploadDefinition", retried);
    const v1::Instance started = start();
    const v1::DeliveredJob job = poll();
    v1::FailJobRequest fail;
    fail.set_id(job.id());
    fail.set_worker_id("w1");
    fail.set_retryable(true);
    fail.set_retry_after_seconds(600);
    call<v1::FailJobResponse>("Jobs/FailJob", fail);
    v1::GetJobRequest get;
    get.set_id(job.id());
    EXPECT_TRUE(call<v1::Job>("Jobs/GetJob", get).has_available_at());
}

TEST_F(MillraceMethodsTest, ListsByPages) {
    upload();
    v1::StartInstancesRequest batch;
    for (int i = 0; i < 5; ++i) batch.add_instances()->set_definition_id("order");
    batch.add_instances()->set_definition_id("nothing");
    batch.mutable_instances(0)->set_idempotency_key("k");
    const auto started = call<v1::StartInstancesResponse>("Instances/StartInstances", batch);
    ASSERT_EQ(started.results_size(), 6);
    EXPECT_EQ(started.results(0).status(), 201);
    EXPECT_EQ(started.results(0).instance().definition_id(), "order");
    EXPECT_EQ(started.results(5).status(), 404);
    EXPECT_EQ(started.results(5).error().error(), "not-found");
    EXPECT_FALSE(started.results(5).has_instance());

    v1::ListInstancesRequest list;
    list.set_page_size(2);
    list.add_status(v1::INSTANCE_STATUS_ACTIVE);
    list.add_status(v1::INSTANCE_STATUS_FAILED);
    std::set<std::string> seen;
    for (int pages = 0; pages < 3; ++pages) {
        const auto page = call<v1::ListInstancesResponse>("Instances/ListInstances", list);
        EXPECT_EQ(page.total(), 5);
        for (const v1::Instance& each : page.items()) seen.insert(each.id());
        EXPECT_EQ(page.has_next_cursor(), pages < 2);
        list.set_cursor(page.next_cursor());
    }
    EXPECT_EQ(seen.size(), 5u);

    v1::CancelInstancesRequest cancel;
    cancel.mutable_filter()->set_definition_id("order");
    cancel.mutable_filter()->set_suspended(false);
    EXPECT_EQ(call<v1::CancelInstancesResponse>("Instances/CancelInstances", cancel).cancelled(),
              5);
}

TEST_F(MillraceMethodsTest, AnswersToPollsFitIntoMessagesUnlessOneJobDoesNot) {
    upload();
    constexpr std::size_t kSizes[] = {1'500'000, 1'500'000, 1'500'000, 4'000'000};
    for (const std::size_t size : kSizes) {
        v1::StartInstanceRequest request;
        request.set_definition_id("order");
        request.set_variables("{\"text\":\"" + std::string(size, 'x') + "\"}");
        call<v1::Instance>("Instances/StartInstance", request);
    }
    v1::PollJobsRequest poll;
    poll.set_worker_id("w1");
    poll.add_job_types("pay");
    std::vector<int> counts;
    for (int polls = 0; polls < 4; ++polls) {
        const auto polled = call<v1::PollJobsResponse>("Jobs/PollJobs", poll);
        counts.push_back(polled.jobs_size());
        EXPECT_TRUE(polled.ByteSizeLong() < limits::kRpcJobsBytesMax || polled.jobs_size() == 1);
    }
    EXPECT_EQ(counts, (std::vector<int>{2, 1, 1, 0}));
}

TEST_F(MillraceMethodsTest, BatchesOfJobsAnswerEachItem) {
    upload();
    start();
    const v1::DeliveredJob job = poll();
    v1::CompleteJobsRequest request;
    request.add_jobs()->set_job_id("nothing");
    v1::JobCompletion& done = *request.add_jobs();
    done.set_job_id(job.id());
    done.set_lease_token(job.lease_token());
    const auto results = call<v1::JobResults>("Jobs/CompleteJobs", request);
    ASSERT_EQ(results.results_size(), 2);
    EXPECT_EQ(results.results(0).status(), 404);
    EXPECT_EQ(results.results(1).status(), 204);
    EXPECT_EQ(results.results(1).job_id(), job.id());
}

TEST_F(MillraceMethodsTest, RefusalsAreThoseOfRest) {
    v1::GetInstanceRequest request;
    request.set_id("01ARZ3NDEKTSV4RRFFQ69G5FAV");
    EXPECT_EQ(status_of("Instances/GetInstance", request), 404);
    EXPECT_EQ(status_of("Instances/StartInstance", v1::StartInstanceRequest()), 400);
    EXPECT_EQ(status_of("Administration/TakeBackup", v1::TakeBackupRequest()), 409);
}

TEST_F(MillraceMethodsTest, WatchesAnInstance) {
    upload();
    v1::WatchInstanceRequest request;
    request.set_id(start().id());
    const auto exchange = send("Instances/WatchInstance", request);
    ASSERT_NE(exchange->stream(), nullptr);
    v1::CancelInstanceRequest cancel;
    cancel.set_id(request.id());
    cancel.set_reason("ordered twice");
    call<v1::Instance>("Instances/CancelInstance", cancel);

    const auto stream = millrace_method_named("Instances/WatchInstance").reply_stream();
    const auto messages = stream->take(exchange->stream()->text());
    ASSERT_TRUE(messages) << messages.error().detail;
    std::vector<v1::InstanceEvent> events(messages->size());
    for (std::size_t i = 0; i < events.size(); ++i) events[i].ParseFromString((*messages)[i]);
    ASSERT_GE(events.size(), 4u);
    EXPECT_EQ(events[0].step().step_id(), "charge");
    EXPECT_TRUE(events[0].has_event_id());
    EXPECT_EQ(events[1].instance().status(), v1::INSTANCE_STATUS_ACTIVE);
    EXPECT_EQ(events.back().instance().status(), v1::INSTANCE_STATUS_CANCELLED);
    EXPECT_TRUE(exchange->stream()->is_ended());
}

TEST_F(MillraceMethodsTest, QueuesExplainsAndBuriesExecutions) {
    upload();
    v1::CreateWorkspaceRequest workspace;
    workspace.set_id("acme");
    workspace.set_max_active(0);
    EXPECT_EQ(call<v1::Workspace>("Workspaces/CreateWorkspace", workspace).max_active(), 0);
    v1::UploadDefinitionRequest upload_there;
    upload_there.set_document(kOrder);
    call<v1::DefinitionSummary>("Definitions/UploadDefinition", upload_there,
                                headers_of("", "acme"));

    v1::EnqueueExecutionRequest enqueue;
    enqueue.set_workspace_id("acme");
    enqueue.set_definition_id("order");
    enqueue.set_input(kBig);
    enqueue.set_priority(5);
    const auto queued = call<v1::Execution>("Executions/EnqueueExecution", enqueue);
    EXPECT_EQ(queued.queue_status(), v1::QUEUE_STATUS_PENDING);
    EXPECT_EQ(queued.executor(), v1::EXECUTOR_NATIVE);
    engine_.dispatch();

    v1::ExplainExecutionRequest explain;
    explain.set_id(queued.id());
    const auto why = call<v1::Explanation>("Executions/ExplainExecution", explain);
    EXPECT_EQ(why.subject(), v1::SUBJECT_EXECUTION);
    ASSERT_GT(why.reasons_size(), 0);
    EXPECT_EQ(why.reasons(0).evidence().front(), '{');

    v1::GetQueueRequest look;
    look.set_workspace_id("acme");
    const auto queue = call<v1::Queue>("Workspaces/GetQueue", look);
    EXPECT_EQ(queue.places().ready(), 1);
    EXPECT_EQ(queue.queue_statuses().pending(), 1);

    v1::ChangeWorkspaceRequest change;
    change.set_workspace_id("acme");
    change.add_clear("max_active");
    EXPECT_FALSE(call<v1::Workspace>("Workspaces/ChangeWorkspace", change).has_max_active());
    engine_.dispatch();
    fail_run(queued.id());

    v1::ListDeadLettersRequest list;
    const auto dead = call<v1::ListExecutionsResponse>("DeadLetters/ListDeadLetters", list,
                                                       headers_of("", "acme"));
    ASSERT_EQ(dead.items_size(), 1);
    EXPECT_EQ(dead.items(0).status(), v1::EXECUTION_STATUS_FAILED);
    EXPECT_FALSE(dead.items(0).error().message().empty());

    v1::RedriveDeadLettersRequest redrive;
    redrive.mutable_filter();
    const auto driven = call<v1::RedriveDeadLettersResponse>("DeadLetters/RedriveDeadLetters",
                                                             redrive, headers_of("", "acme"));
    EXPECT_EQ(driven.redriven(), 1);
    EXPECT_TRUE(driven.executions(0).new_execution());
}

TEST_F(MillraceMethodsTest, AdministersKeysAndTheServer) {
    v1::CreateKeyRequest create;
    create.set_name("packing station");
    create.set_role(v1::ROLE_WORKER);
    create.mutable_expires_at()->set_seconds(4'000'000'000);
    const auto key = call<v1::CreatedKey>("Administration/CreateKey", create);
    EXPECT_EQ(key.role(), v1::ROLE_WORKER);
    EXPECT_EQ(key.expires_at().seconds(), 4'000'000'000);
    v1::RevokeKeyRequest revoke;
    revoke.set_id(key.id());
    call<v1::RevokeKeyResponse>("Administration/RevokeKey", revoke);
    const auto keys = call<v1::ListKeysResponse>("Administration/ListKeys", v1::ListKeysRequest());
    ASSERT_EQ(keys.items_size(), 1);
    EXPECT_TRUE(keys.items(0).has_revoked_at());

    v1::ListAuditRequest list;
    list.add_kind(v1::AUDIT_KIND_KEY_CREATED);
    const auto audit = call<v1::ListAuditResponse>("Administration/ListAudit", list);
    EXPECT_TRUE(audit.enabled());
    ASSERT_EQ(audit.items_size(), 1);
    EXPECT_EQ(audit.items(0).actor().type(), v1::ACTOR_TYPE_ANONYMOUS);
    EXPECT_FALSE(
        call<v1::WhoAmIResponse>("Administration/WhoAmI", v1::WhoAmIRequest()).authenticated());

    engine_.not_ready = {"The store does not answer."};
    const auto exchange = send("Administration/GetReadiness", v1::GetReadinessRequest());
    EXPECT_TRUE(millrace_method_named("Administration/GetReadiness").is_reply(*exchange->answer()));
}

}  // namespace
}  // namespace millrace::rpc
