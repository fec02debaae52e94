// The calls that people make on instances.

#include <gtest/gtest.h>

#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

using namespace std::chrono_literals;

constexpr const char* kOrder = R"({"id":"order","name":"Order","steps":[
  {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"pay","retryCount":1,
   "retryPolicy":{"initialDelay":"PT10S"},"timeout":"PT20S","nextStep":"ship"},
  {"id":"ship","name":"Ship","type":"SERVICE_TASK","jobType":"ship","nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";

const WorkspaceId kOwnWorkspace{kDefaultWorkspace};

class RestInstancesTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    void SetUp() override { ASSERT_EQ(engine_.post("/v1/definitions", kOrder).status, 201); }

    std::string start(const std::string& members = R"("variables":{"n":1})") {
        const Answer started =
            engine_.post("/v1/instances", R"({"definitionId":"order",)" + members + "}");
        EXPECT_EQ(started.status, 201) << started.text;
        return started["id"];
    }
    Answer act(const std::string& id, const std::string& action, std::string body = {}) {
        return engine_.post("/v1/instances/" + id + "/" + action, std::move(body));
    }
    Answer patch(const std::string& id, std::string body) {
        return engine_.ask("PATCH", "/v1/instances/" + id + "/variables", std::move(body));
    }

    json::Array poll(const std::string& type) {
        const Answer polled = engine_.post(
            "/v1/jobs/poll", R"({"workerId":"w","jobTypes":[")" + type + R"("],"maxJobs":10})");
        EXPECT_EQ(polled.status, 200) << polled.text;
        return *polled.body.find("jobs")->if_array();
    }
    static std::string text(const json::Value& object, std::string_view name) {
        const json::Value* member = object.find(name);
        return member == nullptr || member->if_string() == nullptr ? "" : *member->if_string();
    }
    static std::int64_t number(const json::Value& object, std::string_view name) {
        const json::Value* member = object.find(name);
        return member == nullptr || member->if_integer() == nullptr ? -1 : *member->if_integer();
    }
    std::string take_job(const std::string& type) {
        const json::Array jobs = poll(type);
        EXPECT_EQ(jobs.size(), 1u);
        return jobs.empty() ? "" : text(jobs.front(), "id");
    }
    int fail(const std::string& job, const std::string& retryable) {
        return engine_
            .post("/v1/jobs/" + job + "/fail",
                  R"({"workerId":"w","errorMessage":"no","retryable":)" + retryable + "}")
            .status;
    }
    int complete(const std::string& job) {
        return engine_.post("/v1/jobs/" + job + "/complete", R"({"workerId":"w"})").status;
    }

    RestEngine engine_;
};

TEST_F(RestInstancesTest, RetriesAFailedInstance) {
    const std::string id = start();
    ASSERT_EQ(fail(take_job("pay"), "false"), 204);
    EXPECT_EQ(engine_.get("/v1/instances/" + id)["status"], "FAILED");

    const Answer retried = act(id, "retry");
    EXPECT_EQ(retried.status, 200) << retried.text;
    EXPECT_EQ(retried["status"], "ACTIVE");
    EXPECT_EQ(retried.body.find("failureReason"), nullptr);
    EXPECT_EQ(retried.body.find("completedAt"), nullptr);
    EXPECT_EQ(act(id, "retry").status, 409);
    EXPECT_EQ(complete(take_job("pay")), 204);
    EXPECT_EQ(complete(take_job("ship")), 204);
    EXPECT_EQ(engine_.get("/v1/instances/" + id)["status"], "COMPLETED");
    EXPECT_EQ(act("01ARZ3NDEKTSV4RRFFQ6900000", "retry").status, 404);
}

TEST_F(RestInstancesTest, SuspendsAndResumes) {
    const std::string id = start();
    const Answer suspended = act(id, "suspend", R"({"reason":"audit"})");
    EXPECT_EQ(suspended.status, 200) << suspended.text;
    EXPECT_NE(suspended.text.find(R"("suspended":true)"), std::string::npos);
    EXPECT_EQ(act(id, "suspend").status, 200);
    EXPECT_TRUE(poll("pay").empty());
    const Answer listed = engine_.get("/v1/instances?suspended=true");
    EXPECT_EQ(number(listed.body, "total"), 1) << listed.text;

    const Answer resumed = act(id, "resume");
    EXPECT_EQ(resumed.status, 200);
    EXPECT_EQ(resumed.body.find("suspended"), nullptr);
    EXPECT_EQ(act(id, "resume").status, 200);
    EXPECT_EQ(poll("pay").size(), 1u);
}

TEST_F(RestInstancesTest, KeepsTheResultOfAJobThatWasOutWhenItsInstanceWasSuspended) {
    const std::string id = start();
    const std::string job = take_job("pay");
    ASSERT_EQ(act(id, "suspend").status, 200);
    EXPECT_EQ(complete(job), 204);
    EXPECT_TRUE(poll("ship").empty());
    ASSERT_EQ(act(id, "resume").status, 200);
    EXPECT_EQ(complete(take_job("ship")), 204);
    EXPECT_EQ(act(id, "suspend").status, 409);
    EXPECT_EQ(act(id, "resume").status, 409);
}

TEST_F(RestInstancesTest, KeepsAJobBackThatFailsOrIsLostWhileItsInstanceIsSuspended) {
    const std::string id = start();
    std::string job = take_job("pay");
    ASSERT_EQ(act(id, "suspend").status, 200);
    EXPECT_EQ(fail(job, "true"), 204);
    engine_.pass(1h);
    EXPECT_TRUE(poll("pay").empty());
    ASSERT_EQ(act(id, "resume").status, 200);
    job = take_job("pay");
    ASSERT_EQ(act(id, "suspend").status, 200);
    engine_.pass(10s);
    EXPECT_TRUE(poll("pay").empty());
}

TEST_F(RestInstancesTest, ChangesVariables) {
    const std::string id = start(R"("variables":{"a":1,"b":2})");
    const Answer changed =
        patch(id, R"({"variables":{"b":{"c":null}},"remove":["a"],"expectedVersion":0})");
    EXPECT_EQ(changed.status, 200) << changed.text;
    EXPECT_NE(changed.text.find(R"("variables":{"b":{"c":null}})"), std::string::npos);
    EXPECT_EQ(number(changed.body, "variablesVersion"), 1);
    EXPECT_EQ(patch(id, R"({"variables":{"x":1},"expectedVersion":0})").status, 409);
    EXPECT_EQ(patch(id, R"({"variables":{"x":1}})").status, 200);

    for (const char* body : {"", "{}", "[]", R"({"variables":1})", R"({"remove":[1]})",
                             R"({"variables":{},"expectedVersion":"1"})"}) {
        EXPECT_EQ(patch(id, body).status, 400) << body;
    }
    EXPECT_EQ(patch("nonsense", R"({"variables":{}})").status, 404);
    ASSERT_EQ(act(id, "cancel").status, 200);
    EXPECT_EQ(patch(id, R"({"variables":{"x":1}})").status, 409);
}

TEST_F(RestInstancesTest, ListsWithFiltersAndCursors) {
    const std::string first = start(R"("businessKey":"K-1","variables":{"city":"Bremen"})");
    engine_.pass(1s);
    const std::string second = start(R"("businessKey":"K-2")");
    ASSERT_EQ(act(second, "cancel").status, 200);
    struct Row {
        const char* query;
        std::int64_t total;
    };
    for (const Row& row :
         {Row{"", 2}, Row{"status=ACTIVE", 1}, Row{"status=ACTIVE,CANCELLED", 2},
          Row{"businessKey=K-2", 1}, Row{"definitionVersion=1", 2}, Row{"definitionVersion=2", 0},
          Row{"text=bremen", 1}, Row{"text=k-", 2}, Row{"startedAfter=2000-01-01T00:00:00Z", 2},
          Row{"startedBefore=2000-01-01T00:00:00Z", 0}, Row{"suspended=false", 2},
          Row{"suspended=true", 0}}) {
        const Answer listed = engine_.get(std::string("/v1/instances?") + row.query);
        EXPECT_EQ(listed.status, 200) << row.query;
        EXPECT_EQ(number(listed.body, "total"), row.total) << row.query << listed.text;
    }
    for (const char* query : {"startedAfter=soon", "startedBefore=1", "definitionVersion=x",
                              "suspended=maybe", "status=NONE,ACTIVE", "cursor=nonsense!"}) {
        EXPECT_EQ(engine_.get(std::string("/v1/instances?") + query).status, 400) << query;
    }
    const Answer page = engine_.get("/v1/instances?pageSize=1");
    ASSERT_NE(page["nextCursor"], "") << page.text;
    const Answer rest = engine_.get("/v1/instances?pageSize=1&cursor=" + page["nextCursor"]);
    EXPECT_EQ(text(rest.body.find("items")->if_array()->at(0), "id"), first);
    EXPECT_EQ(rest.body.find("nextCursor"), nullptr);
    EXPECT_EQ(number(rest.body, "total"), 2);
}

TEST_F(RestInstancesTest, CancelsThoseThatAFilterFinds) {
    for (int i = 0; i < 5; ++i) start(R"("businessKey":"old")");
    const std::string other = start(R"("businessKey":"new")");
    const auto cancel = [&](std::string body) {
        return engine_.post("/v1/instances:cancel", std::move(body));
    };
    const Answer dry = cancel(R"({"filter":{"businessKey":"old"},"dryRun":true})");
    EXPECT_EQ(dry.text, R"({"matched":5,"cancelled":0,"failed":[],"more":false})"
                        "\n");
    const Answer some = cancel(R"({"filter":{"businessKey":"old"},"limit":2,"reason":"stale"})");
    EXPECT_EQ(some.text, R"({"matched":2,"cancelled":2,"failed":[],"more":true})"
                         "\n");
    const Answer rest = cancel(
        R"({"filter":{"businessKey":"old","status":["ACTIVE","FAILED"],"definitionVersion":1}})");
    EXPECT_EQ(rest.text, R"({"matched":3,"cancelled":3,"failed":[],"more":false})"
                         "\n");
    EXPECT_EQ(cancel(R"({"filter":{"status":"COMPLETED"}})").text,
              R"({"matched":0,"cancelled":0,"failed":[],"more":false})"
              "\n");
    EXPECT_EQ(engine_.get("/v1/instances/" + other)["status"], "ACTIVE");
    EXPECT_EQ(
        number(cancel(R"({"FILTER":{"businesskey":"new","Suspended":false},"DRYRUN":true})").body,
               "matched"),
        1);
}

// Goal: no mistake cancels more than was meant.
TEST_F(RestInstancesTest, RefusesToCancelByAFilterThatIsWrong) {
    const std::string id = start(R"("businessKey":"k")");
    struct Row {
        const char* body;
        const char* field;  // That the answer names.
    };
    for (const Row& row : {
             Row{"{}", "filter"},
             Row{R"({"filter":{}})", "filter"},
             Row{R"({"filter":null})", "filter"},
             Row{R"({"filter":[]})", "filter"},
             Row{R"({"filter":{"unknown":1}})", "filter.unknown"},
             Row{R"({"filter":{"startedAfter":"soon"}})", "filter.startedAfter"},
             Row{R"({"filter":{"definitionId":"flow","businessKey":""}})", "filter.businessKey"},
             Row{R"({"filter":{"definitionId":"flow","businessKey":null}})", "filter.businessKey"},
             Row{R"({"filter":{"definitionId":"flow","businessKey":7}})", "filter.businessKey"},
             Row{R"({"filter":{"definitionId":["flow"]}})", "filter.definitionId"},
             Row{R"({"filter":{"definitionVersion":"1"}})", "filter.definitionVersion"},
             Row{R"({"filter":{"definitionVersion":0}})", "filter.definitionVersion"},
             Row{R"({"filter":{"suspended":"false"}})", "filter.suspended"},
             Row{R"({"filter":{"status":[]}})", "filter.status"},
             Row{R"({"filter":{"status":["ACTIVE",""]}})", "filter.status"},
             Row{R"({"filter":{"status":["ACTIVE",null]}})", "filter.status"},
             Row{R"({"filter":{"status":"active"}})", "filter.status"},
             Row{R"({"filter":{"text":"k","Text":"j"}})", "filter.text"},
             Row{R"({"filter":{"businessKey":"k"},"dry_run":true})", "dry_run"},
             Row{R"({"filter":{"businessKey":"k"},"dryRun":true,"DryRun":false})", "dryRun"},
             Row{R"({"filter":{"businessKey":"k"},"limit":10001})", "limit"},
         }) {
        const Answer answer = engine_.post("/v1/instances:cancel", row.body);
        EXPECT_EQ(answer.status, 400) << row.body;
        EXPECT_NE(answer.text.find(R"("path":")" + std::string(row.field) + "\""),
                  std::string::npos)
            << row.body << answer.text;
    }
    EXPECT_EQ(engine_.post("/v1/instances:cancel", "").status, 400);
    EXPECT_EQ(engine_.get("/v1/instances/" + id)["status"], "ACTIVE");
}

TEST_F(RestInstancesTest, WaitsBeforeTheNextTryAsTheStepSays) {
    start();
    const std::string job = take_job("pay");
    EXPECT_EQ(fail(job, "true"), 204);
    EXPECT_TRUE(poll("pay").empty());
    const Answer waiting = engine_.get("/v1/jobs/" + job);
    EXPECT_EQ(waiting["status"], "UNLOCKED") << waiting.text;
    EXPECT_NE(waiting["availableAt"], "");
    engine_.pass(9s);
    EXPECT_TRUE(poll("pay").empty());
    engine_.pass(1s);
    const json::Array again = poll("pay");
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(number(again.front(), "attempt"), 2);
    EXPECT_EQ(text(again.front(), "idempotencyKey"), job);
}

TEST_F(RestInstancesTest, AnswersToManyStartsHoldSoManyVariables) {
    const std::string large(4'000'000, 'x');
    std::string starts;
    for (int n = 0; n < 8; ++n) {
        starts += std::string(n == 0 ? "" : ",") + R"({"definitionId":"order","variables":{"a":")" +
                  large + R"("}})";
    }
    const Answer answer = engine_.post("/v1/instances:batch", R"({"instances":[)" + starts + "]}");
    ASSERT_EQ(answer.status, 200) << answer.text.substr(0, 500);
    EXPECT_LT(answer.text.size(), 21u << 20);
    int omitted = 0;
    for (const json::Value& item : *answer.body.find("results")->if_array()) {
        EXPECT_EQ(number(item, "status"), 201);
        const bool is_omitted = item.find("variablesOmitted") != nullptr;
        EXPECT_EQ(item.find("instance")->find("variables") == nullptr, is_omitted);
        omitted += is_omitted ? 1 : 0;
    }
    EXPECT_EQ(omitted, 3) << "the fifth reaches 16 MiB";
}

TEST_F(RestInstancesTest, ALongHistoryComesInParts) {
    const std::string id = start();
    const Id128 instance = *parse_ulid(id);
    Writes writes;
    for (std::uint32_t n = 0; n < 20; ++n) {
        writes.step_executions.push_back({.key = {{instance.with_sequence(10 + n)}, kOwnWorkspace},
                                          .step_id = "s" + std::to_string(n),
                                          .status = StepExecutionStatus::failed,
                                          .failure_reason = std::string(1 << 20, 'x')});
    }
    engine_.write(writes);
    std::vector<std::string> steps;
    std::string cursor;
    int parts = 0;
    do {
        const Answer part = engine_.get("/v1/instances/" + id + "/history" +
                                        (cursor.empty() ? "" : "?cursor=" + cursor));
        ASSERT_EQ(part.status, 200) << part.text;
        EXPECT_LT(part.text.size(), 18u << 20);
        for (const json::Value& item : *part.body.find("items")->if_array()) {
            steps.push_back(text(item, "stepId"));
        }
        cursor = part["nextCursor"];
        parts += 1;
    } while (!cursor.empty() && parts < 10);
    EXPECT_EQ(parts, 2);
    ASSERT_EQ(steps.size(), 21u) << "with the open one";
    EXPECT_EQ(steps.front(), "charge");
    EXPECT_EQ(steps.back(), "s19");
    EXPECT_EQ(engine_.get("/v1/instances/" + id + "/history?cursor=nonsense").status, 400);
}

TEST_F(RestInstancesTest, TheAuditOfAnInstanceShowsTheLatestThatFitIntoAnAnswer) {
    const std::string id = start();
    const Id128 instance = *parse_ulid(id);
    Writes writes;
    for (std::uint32_t n = 0; n < 20; ++n) {
        const Instant at = engine_.clock().now() + std::chrono::seconds(n);
        StepExecution line{.key = {{instance.with_sequence(10 + 2 * n)}, kOwnWorkspace},
                           .step_id = "s" + std::to_string(n),
                           .step_type = StepType::service_task,
                           .status = StepExecutionStatus::failed,
                           .started_at = at,
                           .ended_at = at,
                           .job_status = JobState::failed};
        line.tries.push_back({.worker_id = {"w"},
                              .lease_token = 1,
                              .started_at = at,
                              .ended_at = at,
                              .outcome = TryOutcome::failed,
                              .message = std::string(1 << 20, 'x')});
        writes.step_executions.push_back(std::move(line));
    }
    engine_.write(writes);
    const Answer audit = engine_.get("/v1/instances/" + id + "/audit");
    ASSERT_EQ(audit.status, 200) << audit.text.substr(0, 500);
    EXPECT_LT(audit.text.size(), 18u << 20);
    EXPECT_NE(audit.text.find("\"s19\""), std::string::npos) << "the latest ones";
}

TEST_F(RestInstancesTest, EndsATryThatTakesTooLong) {
    const std::string id = start();
    const json::Array jobs = poll("pay");
    ASSERT_EQ(jobs.size(), 1u);
    engine_.pass(20s);  // The lease asked for is 30 seconds.
    engine_.pass(10s);  // The delay before the next try.
    ASSERT_EQ(poll("pay").size(), 1u);
    engine_.pass(20s);
    const Answer failed = engine_.get("/v1/instances/" + id);
    EXPECT_EQ(failed["status"], "FAILED") << failed.text;
    EXPECT_EQ(failed["failureReason"], "the try took longer than its timeout");
    const Answer history = engine_.get("/v1/instances/" + id + "/history");
    EXPECT_NE(history.text.find(R"("attempt":2,"outcome":"TIMED_OUT","workerId":"w")"),
              std::string::npos)
        << history.text;
    const Answer job = engine_.get("/v1/jobs/" + text(jobs.front(), "id"));
    EXPECT_EQ(job["status"], "FAILED");
    EXPECT_EQ(job["jobType"], "pay");
    EXPECT_EQ(job.body.find("tries")->if_array()->size(), 2u);
}

TEST_F(RestInstancesTest, ListsOpenJobs) {
    const std::string id = start();
    start();
    const std::string job = text(poll("pay").front(), "id");
    struct Row {
        std::string query;
        std::int64_t total;
    };
    for (const Row& row : {Row{"", 2}, Row{"instanceId=" + id, 1}, Row{"instanceId=nonsense", 0},
                           Row{"jobType=pay", 2}, Row{"jobType=ship", 0}, Row{"status=LOCKED", 2},
                           Row{"status=UNLOCKED", 0}, Row{"status=", 2}, Row{"workerId=w", 2},
                           Row{"workerId=x", 0}, Row{"pageSize=1", 2}}) {
        const Answer listed = engine_.get("/v1/jobs?" + row.query);
        EXPECT_EQ(listed.status, 200) << row.query;
        EXPECT_EQ(number(listed.body, "total"), row.total) << row.query << listed.text;
    }
    EXPECT_EQ(engine_.get("/v1/jobs/" + job)["status"], "LOCKED");
    EXPECT_EQ(complete(job), 204);
    EXPECT_EQ(engine_.get("/v1/jobs/" + job)["status"], "COMPLETED");
    EXPECT_EQ(engine_.get("/v1/jobs/" + id).status, 404);
    EXPECT_EQ(engine_.get("/v1/jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV").status, 404);
}

TEST_F(RestInstancesTest, StartsNothingThatRunsElsewhere) {
    const std::string away = R"({"id":"away","name":"Away","executor":{"kind":"temporal"}})";
    ASSERT_EQ(engine_.post("/v1/definitions", away).status, 201);
    const Answer refused = engine_.post("/v1/instances", R"({"definitionId":"away"})");
    EXPECT_EQ(refused.status, 400) << refused.text;
    EXPECT_EQ(refused["error"], "bad-request");
    EXPECT_NE(refused["reason"].find("enqueue"), std::string::npos) << refused.text;
}

TEST_F(RestInstancesTest, ListsVersionsOfADefinition) {
    std::string second = kOrder;
    second.replace(second.find("Charge"), 6, "Debit!");
    ASSERT_EQ(engine_.post("/v1/definitions", second).status, 201);
    const Answer versions = engine_.get("/v1/definitions/order/versions?pageSize=1");
    EXPECT_EQ(versions.status, 200);
    EXPECT_EQ(number(versions.body.find("items")->if_array()->at(0), "version"), 2);
    const Answer older =
        engine_.get("/v1/definitions/order/versions?cursor=" + versions["nextCursor"]);
    EXPECT_EQ(number(older.body.find("items")->if_array()->at(0), "version"), 1);
    EXPECT_EQ(engine_.get("/v1/definitions/none/versions").status, 404);
}

}  // namespace
}  // namespace millrace::rest
