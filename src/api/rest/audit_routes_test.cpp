// GET /v1/audit and GET /v1/instances/{id}/audit, and what commands leave there.

#include <gtest/gtest.h>

#include "base/json/write.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

using namespace std::chrono_literals;

constexpr const char* kOrder = R"({"id":"order","name":"Order","steps":[
  {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"pay","retryCount":1,
   "nextStep":"approve"},
  {"id":"approve","name":"Approve","type":"USER_TASK","nextStep":"shipped"},
  {"id":"shipped","name":"Shipped","type":"WAIT","nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";

constexpr const char* kPoll = R"({"workerId":"w1","jobTypes":["pay"]})";

class AuditRoutesTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    std::string start() {
        engine_.clock().advance(1s);
        const Answer started = engine_.post("/v1/instances", R"({"definitionId":"order"})");
        EXPECT_EQ(started.status, 201) << started.text;
        return started["id"];
    }

    std::string claim() {
        engine_.clock().advance(1s);
        const Answer polled = engine_.post("/v1/jobs/poll", kPoll);
        const json::Array& jobs = *polled.body.find("jobs")->if_array();
        EXPECT_EQ(jobs.size(), 1u) << polled.text;
        return jobs.empty() ? "" : *jobs.front().find("id")->if_string();
    }

    void post(const std::string& target, const char* body) {
        engine_.clock().advance(1s);
        EXPECT_LT(engine_.post(target, body).status, 300) << target;
    }

    // "DEFINITION_UPLOADED INSTANCE_STARTED": the kinds of the items.
    static std::string kinds(const Answer& answer) {
        EXPECT_EQ(answer.status, 200) << answer.text;
        std::string text;
        const json::Value* items = answer.body.find("items");
        if (items == nullptr) return "no items";
        for (const json::Value& item : *items->if_array()) {
            text += (text.empty() ? "" : " ") + *item.find("kind")->if_string();
        }
        return text;
    }

    RestEngine engine_;
};

TEST_F(AuditRoutesTest, TellsTheWholeStoryOfAnInstance) {
    EXPECT_EQ(engine_.post("/v1/definitions", kOrder).status, 201);
    const std::string id = start();
    const std::string job = claim();
    const std::string instance = "/v1/instances/" + id;
    const Answer open = engine_.get(instance + "/audit");
    EXPECT_EQ(kinds(open), "INSTANCE_STARTED JOB_DISPATCHED");
    post("/v1/jobs/" + job + "/fail", R"({"workerId":"w1","retryable":true,"errorMessage":"no"})");
    EXPECT_EQ(claim(), job);
    post("/v1/jobs/" + job + "/complete", R"({"workerId":"w1"})");
    post(instance + "/user-tasks/approve/complete",
         R"({"workerId":"ada","variables":{"pin":1234}})");
    post(instance + "/signals/shipped", R"({"by":"sea"})");

    const Answer audit = engine_.get(instance + "/audit");
    EXPECT_EQ(kinds(audit),
              "INSTANCE_STARTED JOB_DISPATCHED JOB_RETRIED JOB_DISPATCHED JOB_COMPLETED "
              "USER_TASK_COMPLETED SIGNAL_RECEIVED");
    EXPECT_EQ(audit.body.find("items")->if_array()->at(1),
              open.body.find("items")->if_array()->at(1))
        << "the same while the job is open and after";
    EXPECT_EQ(audit.text.find("1234"), std::string::npos) << "names, never values";
    EXPECT_NE(audit.text.find(R"("subject":"approve")"), std::string::npos) << audit.text;
    EXPECT_NE(audit.text.find(R"("details":{"completedBy":"ada","variables":["pin"]})"),
              std::string::npos);
    const json::Value retried = audit.body.find("items")->if_array()->at(2);
    EXPECT_EQ(*retried.find("subject"), json::Value(job));
    EXPECT_EQ(*retried.find("id"), json::Value(job + ":1:JOB_RETRIED"));
    EXPECT_EQ(*retried.find("actor")->find("type"), json::Value("system"));
    EXPECT_EQ(json::write(*retried.find("details")),
              R"({"jobId":")" + job +
                  R"(","jobType":"pay","stepId":"charge","workerId":"w1",)"
                  R"("leaseToken":1,"message":"no"})");

    EXPECT_EQ(kinds(engine_.get("/v1/audit")),
              "SIGNAL_RECEIVED USER_TASK_COMPLETED INSTANCE_STARTED DEFINITION_UPLOADED")
        << "newest first, without jobs";
    EXPECT_EQ(engine_.get("/v1/instances/01ARZ3NDEKTSV4RRFFQ69G5FAV/audit").status, 404);
    EXPECT_EQ(engine_.get("/v1/instances/nonsense/audit").status, 404);
}

TEST_F(AuditRoutesTest, AnEntryNamesWhoAndWhat) {
    EXPECT_EQ(engine_.post("/v1/definitions", kOrder).status, 201);
    const std::string id = start();
    const auto cancel =
        engine_.send("POST", "/v1/instances/" + id + "/cancel", R"({"reason":"a \"good\" one"})");
    const Answer audit = engine_.get("/v1/audit?kind=INSTANCE_CANCELLED");
    const json::Array& items = *audit.body.find("items")->if_array();
    ASSERT_EQ(items.size(), 1u) << audit.text;
    const json::Value& entry = items.front();
    EXPECT_EQ(*entry.find("at"), json::Value("2027-01-15T08:00:01Z"));
    EXPECT_EQ(*entry.find("actor"), json::Value(json::Object{{"type", "anonymous"}}));
    EXPECT_EQ(*entry.find("workspace"), json::Value("default"));
    EXPECT_EQ(*entry.find("instanceId"), json::Value(id));
    EXPECT_EQ(*entry.find("requestId"), json::Value(cancel->request_id()));
    EXPECT_EQ(*entry.find("details"), json::Value(json::Object{{"reason", "a \"good\" one"}}));
    EXPECT_EQ(entry.find("subject"), nullptr);
}

TEST_F(AuditRoutesTest, Filters) {
    EXPECT_EQ(engine_.post("/v1/definitions", kOrder).status, 201);  // At 08:00:00.
    const std::string first = start();
    (void)start();
    post("/v1/instances/" + first + "/cancel", "");
    struct Row {
        std::string query;
        const char* expected;
    };
    const char* const all =
        "INSTANCE_CANCELLED INSTANCE_STARTED INSTANCE_STARTED DEFINITION_UPLOADED";
    for (const Row& row : {
             Row{"", all},
             Row{"?kind=", all},
             Row{"?kind=DEFINITION_UPLOADED,INSTANCE_CANCELLED",
                 "INSTANCE_CANCELLED DEFINITION_UPLOADED"},
             Row{"?keyId=none", ""},
             Row{"?since=2027-01-15T08:00:01Z&until=2027-01-15T08:00:03Z",
                 "INSTANCE_STARTED INSTANCE_STARTED"},
             Row{"?since=2027-01-15T09:00:01%2B01:00",
                 "INSTANCE_CANCELLED INSTANCE_STARTED INSTANCE_STARTED"},
             Row{"?instanceId=nonsense", ""},
             Row{"?instanceId=01ARZ3NDEKTSV4RRFFQ69G5FAV", ""},
             Row{"?instanceId=" + first, "INSTANCE_CANCELLED INSTANCE_STARTED"},
             Row{"?instanceId=" + first + "&keyId=none", ""},
             Row{"?instanceId=" + first + "&kind=INSTANCE_STARTED", "INSTANCE_STARTED"},
             Row{"?instanceId=" + first + "&until=2027-01-15T08:00:02Z", "INSTANCE_STARTED"},
         }) {
        EXPECT_EQ(kinds(engine_.get("/v1/audit" + row.query)), row.expected) << row.query;
    }
    for (const char* query : {"?since=yesterday", "?until=12", "?until=2027-01-15",
                              "?kind=JOB_DISPATCHED", "?kind=INSTANCE_STARTED,JOB_FAILED"}) {
        const Answer answer = engine_.get(std::string("/v1/audit") + query);
        EXPECT_EQ(answer.status, 400) << query;
        EXPECT_NE(answer["message"].find(" must "), std::string::npos);
    }
}

TEST_F(AuditRoutesTest, ShowsTheJobsOfOneInstanceInTheList) {
    EXPECT_EQ(engine_.post("/v1/definitions", kOrder).status, 201);
    const std::string id = start();
    post("/v1/jobs/" + claim() + "/complete", R"({"workerId":"w1"})");
    const std::string audit = "/v1/audit?instanceId=" + id;
    EXPECT_EQ(kinds(engine_.get(audit)), "JOB_COMPLETED JOB_DISPATCHED INSTANCE_STARTED");
    EXPECT_EQ(kinds(engine_.get(audit + "&kind=JOB_COMPLETED,INSTANCE_STARTED")),
              "JOB_COMPLETED INSTANCE_STARTED");
    EXPECT_EQ(kinds(engine_.get(audit + "&kind=JOB_FAILED")), "");
}

TEST_F(AuditRoutesTest, PagesByCursor) {
    EXPECT_EQ(engine_.post("/v1/definitions", kOrder).status, 201);
    const std::string id = start();
    post("/v1/jobs/" + claim() + "/complete", R"({"workerId":"w1"})");
    for (const std::string& filter : {std::string("?"), "?instanceId=" + id + "&"}) {
        Answer page = engine_.get("/v1/audit" + filter + "pageSize=1");
        std::string seen = kinds(page);
        while (!page["nextCursor"].empty()) {
            page = engine_.get("/v1/audit" + filter +
                               "pageSize=1&page=7&cursor=" + page["nextCursor"]);
            EXPECT_EQ(*page.body.find("page"), json::Value(0));
            seen += " " + kinds(page);
        }
        EXPECT_EQ(seen, kinds(engine_.get("/v1/audit" + filter)));
        EXPECT_EQ(engine_.get("/v1/audit" + filter)["nextCursor"], "");
        for (const char* lost : {"!", "AAAA", "bm9uc2Vuc2U"}) {
            const Answer answer = engine_.get("/v1/audit" + filter + "cursor=" + lost);
            EXPECT_EQ(answer.status, 400) << lost;
            EXPECT_EQ(answer["message"],
                      "cursor is not one that this server gave out for this list");
        }
    }
}

}  // namespace
}  // namespace millrace::rest
