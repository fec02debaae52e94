#include "api/grpc/workflow/methods.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/grpc/workflow/messages.hpp"
#include "base/json/parse.hpp"

namespace millrace::rpc {
namespace {

class WorkflowMethodsTest : public testing::Test {
protected:
    const Method& method(const std::string& rpc) const {
        const auto found = std::ranges::find(methods, "/workflow.v1.WorkflowEngine/" + rpc,
                                             [](const auto& each) { return each->name(); });
        MILLRACE_CHECK(found != methods.end());
        return **found;
    }
    template <class Request>
    Result<RestCall> call(const std::string& rpc, const Request& request) const {
        return method(rpc).to_call(request.SerializeAsString());
    }
    static std::string shown(const Result<RestCall>& call) {
        if (!call) return call.error().detail;
        return call->method + " " + call->path + "?" + call->query + " " + call->body;
    }

    const Methods methods = workflow_methods();
};

TEST_F(WorkflowMethodsTest, EveryRpcOfTheServiceIsServed) {
    const auto* service = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
        "workflow.v1.WorkflowEngine");
    ASSERT_NE(service, nullptr);
    ASSERT_EQ(methods.size(), static_cast<std::size_t>(service->method_count()));
    for (int i = 0; i < service->method_count(); ++i) {
        EXPECT_FALSE(method(service->method(i)->name()).is_server_stream());
    }
}

TEST_F(WorkflowMethodsTest, BytesThatAreNoMessageAreRefused) {
    google::protobuf::LogSilencer quiet;
    for (const auto& each : methods) {
        for (const std::string_view bytes : {"\xFF", "\x0A\x7F"}) {
            const Result<RestCall> call = each->to_call(bytes);
            ASSERT_FALSE(call) << each->name();
            EXPECT_EQ(call.error().code, ErrorCode::invalid_argument);
        }
    }
    const Result<RestCall> not_utf8 = method("GetInstance").to_call("\x0A\x01\xFF");
    ASSERT_FALSE(not_utf8);
    EXPECT_EQ(not_utf8.error().code, ErrorCode::invalid_argument);
}

TEST_F(WorkflowMethodsTest, LimitsHoldForTheTextsThatMessagesBecome) {
    wire::GetInstanceRequest get;
    get.set_id(std::string(6'000, ' '));  // Three bytes each in a path.
    wire::FailJobRequest fail;
    fail.set_job_id("j");
    fail.set_error_message(std::string(3u << 20, '\x01'));  // Six bytes each in JSON.
    const Result<RestCall> calls[] = {bounded_call(method("GetInstance"), get.SerializeAsString()),
                                      bounded_call(method("FailJob"), fail.SerializeAsString())};
    for (const auto& call : calls) {
        ASSERT_FALSE(call);
        EXPECT_EQ(call.error().code, ErrorCode::too_large);
    }
}

TEST_F(WorkflowMethodsTest, AMessageIsACallOfRest) {
    wire::GetInstanceRequest get;
    get.set_id("a/b c");
    EXPECT_EQ(shown(call("GetInstance", get)), "GET /v1/instances/a%2Fb%20c? ");
    wire::ListInstancesRequest list;
    list.set_status(wire::INSTANCE_STATUS_FAILED);
    list.set_business_key("a&b");
    list.set_page(2);
    EXPECT_EQ(shown(call("ListInstances", list)),
              "GET /v1/instances?page=2&pageSize=20&status=FAILED&businessKey=a%26b ");
    wire::PollJobsRequest poll;
    poll.set_worker_id("w");
    poll.add_job_types("t");
    poll.set_max_jobs(-3);
    poll.set_lease_seconds(-1);
    EXPECT_EQ(
        shown(call("PollJobs", poll)),
        R"(POST /v1/jobs/poll? {"workerId":"w","jobTypes":["t"],"maxJobs":1,"leaseSeconds":0})");
    wire::GetDefinitionRequest definition;
    definition.set_id("d");
    EXPECT_EQ(shown(call("GetDefinition", definition)), "GET /v1/definitions/d? ");
    definition.set_version(-2);
    EXPECT_EQ(shown(call("GetDefinition", definition)), "GET /v1/definitions/d/versions/-2? ");
}

TEST_F(WorkflowMethodsTest, NumbersThatMeanNothingAreRefused) {
    wire::ListInstancesRequest list;
    for (const int number : {-1, 6, 2'147'483'647}) {
        list.set_status(static_cast<wire::InstanceStatus>(number));
        EXPECT_EQ(call("ListInstances", list).error().code, ErrorCode::invalid_argument);
    }
    wire::UploadDefinitionRequest upload;
    wire::WorkflowStep& step = *upload.mutable_definition()->add_steps();
    step.set_type(static_cast<wire::StepType>(9));
    const Result<RestCall> refused = call("UploadDefinition", upload);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().details[0].path, "definition.steps[0].type");
    step.set_type(wire::STEP_TYPE_UNSPECIFIED);
    EXPECT_NE(shown(call("UploadDefinition", upload)).find(R"("type":"UNSPECIFIED")"),
              std::string::npos);
    step.add_boundary_events()->set_type(static_cast<wire::BoundaryEventType>(5));
    EXPECT_FALSE(call("UploadDefinition", upload));
}

TEST_F(WorkflowMethodsTest, MapsAreSortedByTheBytesOfTheirKeys) {
    wire::UploadDefinitionRequest upload;
    wire::WorkflowStep& step = *upload.mutable_definition()->add_steps();
    for (const char* key : {"b", "a", "é", "Z"}) {
        (*step.mutable_conditional_next_steps())[key] = "t";
        (*step.mutable_transformations())[key].set_number_value(1);
    }
    const std::string text = shown(call("UploadDefinition", upload));
    EXPECT_NE(text.find(R"("conditionalNextSteps":{"Z":"t","a":"t","b":"t","é":"t"})"),
              std::string::npos);
    EXPECT_NE(text.find(R"("transformations":{"Z":1,"a":1,"b":1,"é":1})"), std::string::npos);
}

TEST_F(WorkflowMethodsTest, SomeErrorsAreRepliesWithNothingInThem) {
    const auto refusal = [](int status, const char* reason) {
        return http::HttpResponse{.status = status,
                                  .body = R"({"reason":")" + std::string(reason) + R"("})"};
    };
    EXPECT_TRUE(method("GetInstanceHistory").is_reply(refusal(404, "")));
    EXPECT_FALSE(method("GetInstanceHistory").is_reply(refusal(403, "")));
    EXPECT_FALSE(method("GetInstance").is_reply(refusal(404, "")));
    EXPECT_TRUE(method("PollJobs").is_reply(refusal(400, "workerId is required")));
    EXPECT_TRUE(method("PollJobs").is_reply(refusal(400, "jobTypes must not be empty")));
    EXPECT_FALSE(method("PollJobs").is_reply(refusal(400, "other")));
    const Result<std::string> reply =
        method("PollJobs").to_reply(refusal(400, "workerId is required"));
    ASSERT_TRUE(reply);
    EXPECT_TRUE(reply->empty());
}

TEST_F(WorkflowMethodsTest, AnAnswerIsAReply) {
    const http::HttpResponse response{
        .body = R"({"id":"i","definitionId":"d","definitionVersion":3,"status":"WAITING",)"
                R"("currentStepIds":["s"],"variables":{"n":9007199254740993},)"
                R"("startedAt":"2026-11-15T06:55:59.54562Z","variablesVersion":1})"};
    const Result<std::string> bytes = method("GetInstance").to_reply(response);
    ASSERT_TRUE(bytes);
    wire::GetInstanceResponse reply;
    ASSERT_TRUE(reply.ParseFromString(*bytes));
    EXPECT_EQ(reply.instance().status(), wire::INSTANCE_STATUS_WAITING);
    EXPECT_EQ(reply.instance().definition_version(), 3);
    EXPECT_EQ(reply.instance().started_at().nanos(), 545'620'000);
    EXPECT_FALSE(reply.instance().has_completed_at());
    EXPECT_EQ(reply.instance().variables().fields().at("n").number_value(), 9007199254740992.0);
    const Result<std::string> empty = method("CompleteJob").to_reply({.status = 204});
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->empty());
}

}  // namespace
}  // namespace millrace::rpc
