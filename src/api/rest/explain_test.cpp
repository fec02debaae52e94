// Why something does not run, as callers are told.

#include <gtest/gtest.h>

#include "base/json/write.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

constexpr const char* kHello = R"({"id":"hello","name":"Hello","steps":[
  {"id":"greet","name":"Greet","type":"SERVICE_TASK","jobType":"greet","nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";
constexpr const char* kFar = R"({"id":"far","name":"Far away","steps":[],
  "executor":{"kind":"temporal","workflowType":"Far"}})";

using Answer = RestEngine::Answer;
using Codes = std::vector<std::string>;

Codes codes_of(const Answer& answer) {
    Codes codes;
    const json::Value* reasons = answer.body.find("reasons");
    if (reasons == nullptr) return codes;
    for (const json::Value& reason : *reasons->if_array()) {
        codes.push_back(*reason.find("code")->if_string());
    }
    return codes;
}

const json::Value* evidence_of(const Answer& answer, std::size_t index, std::string_view name) {
    return (*answer.body.find("reasons")->if_array())[index].find("evidence")->find(name);
}

class ExplainRoutesTest : public testing::Test {
protected:
    ExplainRoutesTest() {
        engine_.post("/v1/workspaces", R"({"id":"acme","plan":"FREE"})");
        engine_.post("/v1/workspaces/acme/definitions", kHello);
        engine_.post("/v1/workspaces/acme/definitions", kFar);
    }

    std::string enqueue(std::string body = R"({"definitionId":"hello","input":{"a":"precious"}})") {
        const Answer answer = engine_.post("/v1/workspaces/acme/executions", std::move(body));
        EXPECT_EQ(answer.status, 202) << answer.text;
        return answer["id"];
    }
    Answer why(const std::string& what) {
        http::HttpHeaders headers;
        headers.add("Millrace-Workspace", "acme");
        const Answer answer = engine_.ask("GET", "/v1/" + what + "/explain", "", headers);
        EXPECT_EQ(answer.text.find("precious"), std::string::npos)
            << "inputs are nobody's business";
        return answer;
    }
    Answer why_execution(const std::string& id) { return why("executions/" + id); }

    RestEngine engine_;
};

TEST_F(ExplainRoutesTest, AnAnswerNamesAllThatStandsInTheWayAndWhoHasTheSlot) {
    const std::string first = enqueue();
    engine_.dispatch();
    const std::string second = enqueue();
    const std::string third = enqueue();
    const Answer answer = why_execution(third);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["subject"], "execution");
    EXPECT_EQ(answer["id"], third);
    EXPECT_EQ(answer["status"], "PENDING");
    EXPECT_EQ(codes_of(answer), (Codes{"WORKSPACE_FULL", "BEHIND_OTHERS"})) << answer.text;
    EXPECT_EQ(json::write(*evidence_of(answer, 0, "heldBy")), R"([")" + first + R"("])");
    EXPECT_EQ(answer["summary"], "All 1 slots of the workspace are taken by other executions.");
    EXPECT_EQ(codes_of(why_execution(second)), Codes{"WORKSPACE_FULL"});
    EXPECT_EQ(codes_of(why_execution(first)), Codes{"NO_WORKER"});
    EXPECT_EQ(codes_of(why("workspaces/acme")), Codes{"WORKSPACE_FULL"});
}

TEST_F(ExplainRoutesTest, AJobAndItsInstanceAreExplainedTheSame) {
    const std::string id = enqueue();
    engine_.dispatch();
    const Answer instance = why("instances/" + id);
    EXPECT_EQ(instance["subject"], "instance");
    EXPECT_EQ(codes_of(instance), Codes{"NO_WORKER"});
    const std::string job = *evidence_of(instance, 0, "jobId")->if_string();
    EXPECT_EQ(codes_of(why("jobs/" + job)), Codes{"NO_WORKER"});

    http::HttpHeaders headers;
    headers.add("Millrace-Workspace", "acme");
    engine_.ask("POST", "/v1/jobs/poll", R"({"workerId":"w","jobTypes":["greet"]})", headers);
    const Answer held = why("jobs/" + job);
    EXPECT_EQ(codes_of(held), Codes{"JOB_HELD"});
    EXPECT_FALSE(held["estimatedAt"].empty()) << "when its lease is over";
    engine_.ask("POST", "/v1/jobs/" + job + "/complete", R"({"workerId":"w"})", headers);
    EXPECT_EQ(codes_of(why("jobs/" + job)), Codes{"JOB_OVER"});
    EXPECT_EQ(codes_of(why("instances/" + id)), Codes{"INSTANCE_COMPLETED"});
    const Answer over = why_execution(id);
    EXPECT_EQ(codes_of(over), Codes{"COMPLETED"});
    EXPECT_EQ(*over.body.find("over"), json::Value(true));
}

TEST_F(ExplainRoutesTest, DelaysPausesKeysAndTargetsAreSeen) {
    const std::string later =
        enqueue(R"({"definitionId":"hello","notBefore":"2030-01-01T00:00:00Z"})");
    const Answer delayed = why_execution(later);
    EXPECT_EQ(codes_of(delayed), Codes{"NOT_BEFORE"});
    EXPECT_EQ(delayed["estimatedAt"], "2030-01-01T00:00:00Z");
    EXPECT_EQ(codes_of(why_execution(enqueue(R"({"definitionId":"far"})"))),
              Codes{"TARGET_UNKNOWN"});

    engine_.ask("PATCH", "/v1/workspaces/acme", R"({"plan":"PRO","maxPerKey":1})");
    enqueue(R"({"definitionId":"hello","concurrencyKey":"k"})");
    engine_.dispatch();
    const std::string parked = enqueue(R"({"definitionId":"hello","concurrencyKey":"k"})");
    engine_.dispatch();
    EXPECT_EQ(codes_of(why_execution(parked)).front(), "KEY_FULL");
    engine_.ask("PATCH", "/v1/workspaces/acme", R"({"paused":true})");
    EXPECT_EQ(codes_of(why_execution(parked)).front(), "WORKSPACE_PAUSED");
    EXPECT_EQ(why("workspaces/acme")["status"], "PAUSED");
}

TEST_F(ExplainRoutesTest, WhatIsNotThereIsNotFound) {
    for (const char* what :
         {"executions/01ARZ3NDEKTSV4RRFFQ8000000", "instances/01ARZ3NDEKTSV4RRFFQ8000000",
          "jobs/01ARZ3NDEKTSV4RRFFQ8000001", "workspaces/nowhere", "executions/x"}) {
        EXPECT_EQ(engine_.get(std::string("/v1/") + what + "/explain").status, 404) << what;
    }
}

}  // namespace
}  // namespace millrace::rest
