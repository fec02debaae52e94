// The routes of executions, as callers see them.

#include <gtest/gtest.h>

#include "base/json/write.hpp"
#include "core/limits.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

constexpr const char* kHello = R"({"id":"hello","name":"Hello","steps":[
  {"id":"greet","name":"Greet","type":"SERVICE_TASK","jobType":"greet","nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";
constexpr const char* kFar = R"({"id":"far","name":"Far away","steps":[],
  "executor":{"kind":"temporal","workflowType":"Far"}})";
constexpr const char* kLine = "/v1/workspaces/default/executions";

class ExecutionsTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    ExecutionsTest() {
        EXPECT_EQ(engine_.post("/v1/definitions", kHello).status, 201);
        EXPECT_EQ(engine_.post("/v1/definitions", kFar).status, 201);
    }

    std::string enqueue(std::string body = R"({"definitionId":"hello"})") {
        const Answer answer = engine_.post(kLine, std::move(body));
        EXPECT_EQ(answer.status, 202) << answer.text;
        return answer["id"];
    }
    Answer get(const std::string& id) { return engine_.get("/v1/executions/" + id); }
    Answer call(const std::string& id, const std::string& verb, std::string body = {}) {
        return engine_.post("/v1/executions/" + id + "/" + verb, std::move(body));
    }
    std::string status(const std::string& id) { return get(id)["queueStatus"]; }

    // Lets a worker end the only job that waits.
    void work(const char* verb, const char* body) {
        const Answer polled =
            engine_.post("/v1/jobs/poll", R"({"workerId":"w","jobTypes":["greet"]})");
        const json::Array* jobs = polled.body.find("jobs")->if_array();
        ASSERT_EQ(jobs->size(), 1u) << polled.text;
        const std::string id = *jobs->front().find("id")->if_string();
        EXPECT_EQ(engine_.post("/v1/jobs/" + id + "/" + verb, body).status, 204);
    }

    static std::vector<std::string> ids_of(const Answer& list) {
        std::vector<std::string> ids;
        for (const json::Value& item : *list.body.find("items")->if_array()) {
            ids.push_back(*item.find("id")->if_string());
        }
        return ids;
    }
    std::vector<std::string> listed(const std::string& query) {
        const Answer answer = engine_.get(std::string(kLine) + "?" + query);
        EXPECT_EQ(answer.status, 200) << answer.text;
        return ids_of(answer);
    }

    RestEngine engine_;
};

using Ids = std::vector<std::string>;

TEST_F(ExecutionsTest, AnEnqueueIsAcceptedAndToldWhereToLook) {
    const auto exchange = engine_.send("POST", kLine,
                                       R"({"definitionId":"hello","input":{"name":"Ada"},
        "priority":3,"deadline":"2030-01-01T00:00:00Z","concurrencyKey":"c"})");
    const Answer answer = RestEngine::answer_of(*exchange);
    const std::string id = answer["id"];
    const std::pair<std::string_view, std::string> location{"Location", "/v1/executions/" + id};
    EXPECT_EQ(exchange->answer()->headers, std::vector{location});
    EXPECT_EQ(answer.status, 202);
    EXPECT_EQ(answer.text,
              R"({"id":")" + id +
                  R"(","workspaceId":"default","definitionId":"hello","definitionVersion":1,)"
                  R"("queueStatus":"PENDING","status":"PENDING","input":{"name":"Ada"},)"
                  R"("priority":3,"deadline":"2030-01-01T00:00:00Z","concurrencyKey":"c",)"
                  R"("createdAt":"2027-01-15T08:00:00Z","attemptCount":0,"deferrals":0,)"
                  R"("recoveries":0,"executor":"native"})"
                  "\n");
    EXPECT_EQ(get(id).text, answer.text);
}

TEST_F(ExecutionsTest, KeepsIntegersOf64BitsAndTheNearestDoubleOfLargerOnes) {
    const std::string id =
        enqueue(R"({"definitionId":"far","input":{"a":9223372036854775807,"b":9223372036854775809,)"
                R"("c":123456789012345678901234567890}})");
    EXPECT_NE(get(id).text.find(R"("input":{"a":9223372036854775807,"b":9223372036854776000,)"
                                R"("c":1.2345678901234568e+29})"),
              std::string::npos)
        << get(id).text;
}

TEST_F(ExecutionsTest, OneThatRunsHereEndsWithItsInstanceAndShowsItsVariables) {
    const std::string id = enqueue(R"({"definitionId":"hello","input":{"name":"Ada"}})");
    engine_.dispatch();
    const Answer running = get(id);
    EXPECT_EQ(running["queueStatus"], "DISPATCHED");
    EXPECT_EQ(running["status"], "RUNNING");
    EXPECT_EQ(running["runId"], id) << "its instance has its id";
    EXPECT_FALSE(running["claimedAt"].empty());
    EXPECT_FALSE(running["dispatchedAt"].empty());
    EXPECT_EQ(running.text.find("result"), std::string::npos);

    work("complete", R"({"workerId":"w","variables":{"said":"hello"}})");
    const Answer over = get(id);
    EXPECT_EQ(over["status"], "COMPLETED");
    EXPECT_FALSE(over["completedAt"].empty());
    EXPECT_EQ(json::write(*over.body.find("input")), R"({"name":"Ada"})");
    EXPECT_EQ(json::write(*over.body.find("result")), R"({"name":"Ada","said":"hello"})");

    engine_.remove_instance({{*parse_ulid(id)}, {"default"}});
    EXPECT_EQ(get(id).body.find("result"), nullptr) << "retention took it";
    EXPECT_EQ(get(id).status, 200);
}

TEST_F(ExecutionsTest, RefusesWhatMakesNoSenseAndNamesTheField) {
    struct Row {
        const char* body;
        int status;
        const char* field;
    };
    for (const Row& row : {
             Row{"[]", 400, ""},
             Row{"{}", 400, "definitionId"},
             Row{R"({"definitionId":7})", 400, "definitionId"},
             Row{R"({"definitionId":"hello","priority":10})", 400, "priority"},
             Row{R"({"definitionId":"hello","priority":-1})", 400, "priority"},
             Row{R"({"definitionId":"hello","priority":"high"})", 400, "priority"},
             Row{R"({"definitionId":"hello","input":[1]})", 400, "input"},
             Row{R"({"definitionId":"hello","notBefore":"soon"})", 400, "notBefore"},
             Row{R"({"definitionId":"hello","deadline":"2001-01-01T00:00:00Z"})", 400, "deadline"},
             Row{R"({"definitionId":"hello","concurrencyKey":"a\u0000"})", 400, "concurrencyKey"},
             Row{R"({"definitionId":"none"})", 404, ""},
             Row{R"({"definitionId":"hello","definitionVersion":7})", 404, ""},
             Row{R"({"definitionId":"hello","definitionVersion":-1})", 400, "definitionVersion"},
             Row{R"({"definitionId":"hello","definitionVersion":2147483648})", 400,
                 "definitionVersion"},
             Row{R"({"definitionId":"hello"} x)", 400, ""},
         }) {
        const Answer answer = engine_.post(kLine, row.body);
        EXPECT_EQ(answer.status, row.status) << row.body << answer.text;
        const std::string path = R"("path":")" + std::string(row.field) + "\"";
        EXPECT_EQ(answer.text.find(path) != std::string::npos, *row.field != '\0') << answer.text;
    }
    const std::string secret(limits::kVariablesBytesMax, 'x');
    const Answer large =
        engine_.post(kLine, R"({"definitionId":"hello","input":{"a":")" + secret + R"("}})");
    EXPECT_EQ(large.status, 413);
    EXPECT_LT(large.text.size(), 1'000u) << "inputs are not repeated";
    EXPECT_EQ(listed(""), Ids{});
}

TEST_F(ExecutionsTest, UnknownWorkspacesAndForeignDefinitionsAreTold) {
    EXPECT_EQ(engine_.post("/v1/workspaces/none/executions", R"({"definitionId":"hello"})").status,
              404);
    ASSERT_EQ(engine_.post("/v1/workspaces", R"({"id":"acme"})").status, 201);
    const Answer foreign =
        engine_.post("/v1/workspaces/acme/executions", R"({"definitionId":"hello"})");
    EXPECT_EQ(foreign.status, 403) << foreign.text;
    EXPECT_EQ(foreign["error"], "forbidden");
    EXPECT_EQ(engine_.post("/v1/workspaces/acme/executions", R"({"definitionId":"no"})").status,
              404);
    const Answer batch = engine_.post("/v1/workspaces/acme/executions:batch",
                                      R"({"executions":[{"definitionId":"hello"}]})");
    EXPECT_NE(batch.text.find(R"("status":403)"), std::string::npos) << batch.text;
}

TEST_F(ExecutionsTest, ItemsOfABatchStandAlone) {
    const Answer answer = engine_.post(std::string(kLine) + ":batch", R"({"executions":[
        {"definitionId":"hello","input":{"n":1},"idempotencyKey":"a"},
        {"definitionId":"none"},
        7,
        {"definitionId":"hello","priority":99},
        {"definitionId":"hello","input":{"n":1},"idempotencyKey":"a"},
        {"definitionId":"hello","input":{"n":2},"idempotencyKey":"a"},
        {"definitionId":"hello","idempotencyKey":""}]})");
    EXPECT_EQ(answer.status, 200);
    const json::Array& results = *answer.body.find("results")->if_array();
    std::vector<std::int64_t> statuses;
    for (const json::Value& each : results) statuses.push_back(*each.find("status")->if_integer());
    EXPECT_EQ(statuses, (std::vector<std::int64_t>{202, 404, 400, 400, 202, 422, 400}));
    EXPECT_NE(answer.text.find(R"("path":"executions[3].priority")"), std::string::npos);
    EXPECT_EQ(json::write(*results[4].find("replayed")), "true");
    EXPECT_EQ(*results[0].find("execution")->find("id")->if_string(),
              *results[4].find("execution")->find("id")->if_string());
    EXPECT_EQ(listed("").size(), 1u);

    EXPECT_EQ(engine_.post(std::string(kLine) + ":batch", "{}").status, 400);
    EXPECT_EQ(engine_.post(std::string(kLine) + ":batch", R"({"executions":[]})").text,
              "{\"results\":[]}\n");
}

TEST_F(ExecutionsTest, OneUnderAKeyIsEnqueuedOnce) {
    http::HttpHeaders headers;
    headers.add("Idempotency-Key", "k");
    const std::string body = R"({"definitionId":"hello","input":{"a":1},"priority":2})";
    const Answer first = engine_.ask("POST", kLine, body, headers);
    engine_.dispatch();
    const auto again = engine_.send("POST", kLine, body, headers);
    EXPECT_EQ(again->answer()->status, 202);
    EXPECT_EQ(RestEngine::answer_of(*again)["id"], first["id"]);
    EXPECT_EQ(RestEngine::answer_of(*again)["queueStatus"], "DISPATCHED") << "as it is now";
    EXPECT_EQ(again->answer()->headers.front().first, "Idempotent-Replayed");
    for (const char* other : {R"({"definitionId":"hello","input":{"a":1}})",
                              R"({"definitionId":"hello","input":{"a":1},"priority":2,
                                  "notBefore":"2030-01-01T00:00:00Z"})"}) {
        EXPECT_EQ(engine_.ask("POST", kLine, other, headers).status, 422);
    }
    EXPECT_EQ(listed("").size(), 1u);
}

TEST_F(ExecutionsTest, ListsAreFilteredAndPaged) {
    const std::string one = enqueue(R"({"definitionId":"hello","concurrencyKey":"c"})");
    engine_.dispatch();
    engine_.clock().advance(std::chrono::hours{1});
    const std::string two = enqueue(R"({"definitionId":"far","input":{"secret":1}})");
    const std::string three = enqueue();
    EXPECT_EQ(call(three, "cancel", R"({"reason":"no"})").status, 200);

    struct Row {
        const char* query;
        Ids expected;
    };
    for (const Row& row : {
             Row{"", {three, two, one}},
             Row{"status=RUNNING", {one}},
             Row{"status=PENDING,CANCELLED", {three, two}},
             Row{"queueStatus=DISPATCHED", {one}},
             Row{"queueStatus=DISPATCHED,PENDING&status=PENDING", {two}},
             Row{"definitionId=far", {two}},
             Row{"concurrencyKey=c", {one}},
             Row{"concurrencyKey=", {three, two, one}},
             Row{"requestedBy=nobody", {}},
             Row{"reason=START_FAILED", {}},
             Row{"createdFrom=2027-01-15T09:00:00Z", {three, two}},
             Row{"createdBefore=2027-01-15T09:00:00Z", {one}},
         }) {
        EXPECT_EQ(listed(row.query), row.expected) << row.query;
    }
    const Answer list = engine_.get(kLine);
    EXPECT_EQ(list.text.find("secret"), std::string::npos) << "without inputs";
    const Answer first = engine_.get(std::string(kLine) + "?pageSize=2");
    EXPECT_EQ(ids_of(first), (Ids{three, two}));
    EXPECT_EQ(listed("pageSize=2&cursor=" + first["nextCursor"]), Ids{one});
    EXPECT_EQ(listed("pageSize=2&page=1"), Ids{one});
    for (const char* bad : {"?createdFrom=now", "?createdBefore=2027", "?cursor=!"}) {
        EXPECT_EQ(engine_.get(std::string(kLine) + bad).status, 400) << bad;
    }
}

TEST_F(ExecutionsTest, OneThatWaitsIsCancelledAtOnce) {
    const std::string id = enqueue();
    const Answer cancelled = call(id, "cancel", R"({"reason":"ordered twice"})");
    EXPECT_EQ(cancelled.status, 200);
    EXPECT_EQ(cancelled["queueStatus"], "CANCELLED");
    EXPECT_EQ(json::write(*cancelled.body.find("error")), R"({"message":"ordered twice"})");
    EXPECT_EQ(call(id, "cancel").status, 200) << "again";
    engine_.dispatch();
    EXPECT_EQ(status(id), "CANCELLED");
}

TEST_F(ExecutionsTest, OneThatRunsHereIsCancelledWithItsInstance) {
    const std::string id = enqueue();
    engine_.dispatch();
    EXPECT_EQ(call(id, "cancel")["queueStatus"], "CANCELLED");
    EXPECT_EQ(engine_.get("/v1/instances/" + id)["status"], "CANCELLED");
}

TEST_F(ExecutionsTest, OneThatRunsElsewhereIsAskedToStop) {
    const std::string id = enqueue(R"({"definitionId":"far"})");
    engine_.dispatch();
    const Answer asked = call(id, "cancel", R"({"force":true})");
    EXPECT_EQ(asked.status, 200);
    EXPECT_EQ(asked["queueStatus"], "CLAIMED");
    EXPECT_FALSE(asked["cancelRequestedAt"].empty());
    EXPECT_EQ(asked["workflowId"], "execution-" + id);
}

TEST_F(ExecutionsTest, OneThatIsOverIsNotCancelled) {
    const std::string id = enqueue();
    engine_.dispatch();
    work("complete", R"({"workerId":"w"})");
    EXPECT_EQ(call(id, "cancel").status, 409);
    EXPECT_EQ(call(id, "cancel", R"({"force":7})").status, 400);
}

TEST_F(ExecutionsTest, AWorkerTellsHowARunElsewhereEnded) {
    const std::string id = enqueue(R"({"definitionId":"far"})");
    const char* const report = R"({"status":"COMPLETED","result":{"total":12},"runId":"r1"})";
    EXPECT_EQ(call(id, "completion", report)["queueStatus"], "COMPLETED") << "even while it waits";
    EXPECT_EQ(call(id, "completion", report).status, 200) << "again";
    EXPECT_EQ(call(id, "completion", R"({"status":"FAILED"})").status, 409);
    const Answer over = get(id);
    EXPECT_EQ(json::write(*over.body.find("result")), R"({"total":12})");
    EXPECT_EQ(over["runId"], "r1");

    const std::string failed = enqueue(R"({"definitionId":"far"})");
    const Answer answer = call(
        failed, "completion",
        R"({"status":"FAILED","error":{"reason":"TIMED_OUT","message":"no answer in an hour"}})");
    EXPECT_EQ(json::write(*answer.body.find("error")),
              R"({"reason":"TIMED_OUT","message":"no answer in an hour"})");
}

TEST_F(ExecutionsTest, AReportThatMakesNoSenseIsRefused) {
    const std::string id = enqueue(R"({"definitionId":"far"})");
    struct Row {
        const char* body;
        const char* field;
    };
    for (const Row& row : {
             Row{"{}", "status"},
             Row{R"({"status":"PENDING"})", "status"},
             Row{R"({"status":"OVER"})", "status"},
             Row{R"({"status":"FAILED","result":1})", "result"},
             Row{R"({"status":"COMPLETED","error":{}})", "error"},
             Row{R"({"status":"FAILED","error":"x"})", "error"},
             Row{R"({"status":"FAILED","error":{"reason":"BAD_LUCK"}})", "error.reason"},
             Row{R"({"status":"FAILED","error":{"message":7}})", "error.message"},
             Row{R"({"status":"COMPLETED","runId":7})", "runId"},
         }) {
        const Answer answer = call(id, "completion", row.body);
        EXPECT_EQ(answer.status, 400) << row.body;
        EXPECT_NE(answer.text.find(R"("path":")" + std::string(row.field) + "\""),
                  std::string::npos)
            << answer.text;
    }
    EXPECT_EQ(status(id), "PENDING");
    const std::string here = enqueue();
    EXPECT_EQ(call(here, "completion", R"({"status":"COMPLETED"})").status, 409);
}

TEST_F(ExecutionsTest, AFailedOneIsRetriedByANewOne) {
    const std::string id = enqueue(R"({"definitionId":"far","input":{"a":1},"priority":4})");
    EXPECT_EQ(call(id, "retry").status, 409) << "it is open";
    call(id, "completion", R"({"status":"FAILED"})");
    http::HttpHeaders headers;
    headers.add("Idempotency-Key", "k");
    const std::string target = "/v1/executions/" + id + "/retry";
    const Answer retry = engine_.ask("POST", target, {}, headers);
    EXPECT_EQ(retry.status, 202) << retry.text;
    EXPECT_NE(retry["id"], id);
    EXPECT_EQ(retry["retryOf"], id);
    EXPECT_EQ(json::write(*retry.body.find("input")), R"({"a":1})");
    EXPECT_EQ(*retry.body.find("priority")->if_integer(), 4);
    EXPECT_EQ(get(id)["retriedBy"], retry["id"]);
    EXPECT_EQ(engine_.ask("POST", target, {}, headers)["id"], retry["id"]) << "again";
    EXPECT_EQ(engine_.ask("POST", target, R"({"resume":true})", headers).status, 422);
    EXPECT_EQ(call(id, "retry").status, 409) << "it was retried";
    EXPECT_EQ(call(id, "retry", R"({"resume":1})").status, 400);
}

TEST_F(ExecutionsTest, AFailedOneThatRanHereGoesOnWhereItFailed) {
    const std::string id = enqueue();
    engine_.dispatch();
    work("fail", R"({"workerId":"w","error":"out of ink","retryable":false})");
    EXPECT_EQ(status(id), "FAILED");
    const Answer resumed = call(id, "retry", R"({"resume":true})");
    EXPECT_EQ(resumed.status, 202) << resumed.text;
    EXPECT_EQ(resumed["id"], id);
    EXPECT_EQ(resumed["queueStatus"], "PENDING");
    engine_.dispatch();
    EXPECT_EQ(status(id), "DISPATCHED");
    work("complete", R"({"workerId":"w"})");
    EXPECT_EQ(status(id), "COMPLETED");
}

TEST_F(ExecutionsTest, UnknownOnesAreNotFound) {
    for (const char* id :
         {"01ARZ3NDEKTSV4RRFFQ8000000", "nonsense", "01ARZ3NDEKTSV4RRFFQ6000001"}) {
        EXPECT_EQ(get(id).status, 404) << id;
        for (const char* verb : {"cancel", "retry", "completion"}) {
            const bool is_report = std::string_view(verb) == "completion";
            EXPECT_EQ(call(id, verb, is_report ? R"({"status":"FAILED"})" : "").status, 404)
                << id << verb;
        }
    }
}

TEST_F(ExecutionsTest, ADelayedOneWaitsForItsTime) {
    const std::string id =
        enqueue(R"({"definitionId":"hello","notBefore":"2027-01-15T08:00:10Z"})");
    engine_.dispatch();
    EXPECT_EQ(status(id), "PENDING");
    EXPECT_EQ(get(id)["nextAttemptAt"], "2027-01-15T08:00:10Z");
    engine_.clock().advance(std::chrono::seconds{10});
    engine_.make_due_ready();
    engine_.dispatch();
    EXPECT_EQ(status(id), "DISPATCHED");
}

}  // namespace
}  // namespace millrace::rest
