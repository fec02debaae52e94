// The routes of dead letters, as callers see them.

#include <gtest/gtest.h>

#include "api/rest/wire_json.hpp"
#include "base/json/write.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

constexpr const char* kFar = R"({"id":"far","name":"Far away","steps":[],
  "executor":{"kind":"temporal","workflowType":"Far"}})";
constexpr const char* kNear = R"({"id":"near","name":"Nearer","steps":[],
  "executor":{"kind":"temporal","workflowType":"Near"}})";

using Ids = std::vector<std::string>;

class DeadLettersTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    DeadLettersTest() {
        EXPECT_EQ(engine_.post("/v1/definitions", kFar).status, 201);
        EXPECT_EQ(engine_.post("/v1/definitions", kNear).status, 201);
    }

    std::string enqueue(const std::string& definition, const std::string& more = "") {
        const Answer answer = engine_.post("/v1/workspaces/default/executions",
                                           R"({"definitionId":")" + definition + "\"" + more + "}");
        EXPECT_EQ(answer.status, 202) << answer.text;
        return answer["id"];
    }
    // It has run, and failed.
    std::string dead(const std::string& definition = "far", const std::string& message = "") {
        const std::string id = enqueue(definition);
        const Answer answer =
            engine_.post("/v1/executions/" + id + "/completion",
                         R"({"status":"FAILED","error":{"message":")" + message + "\"}}");
        EXPECT_EQ(answer.status, 200) << answer.text;
        return id;
    }
    // Its deadline has passed before it could start.
    std::string late(const std::string& definition = "far") {
        std::string deadline = ",\"deadline\":";
        append_time(deadline, engine_.clock().now() + std::chrono::seconds{1});
        const std::string id = enqueue(definition, deadline);
        engine_.clock().advance(std::chrono::seconds{2});
        engine_.make_due_ready();
        EXPECT_EQ(status(id), "FAILED");
        return id;
    }
    std::string status(const std::string& id) {
        return engine_.get("/v1/executions/" + id)["queueStatus"];
    }
    Answer post(const std::string& verb, std::string body = "{}") {
        return engine_.post("/v1/dead-letters/" + verb, std::move(body));
    }
    Ids listed(const std::string& query = "") {
        const Answer answer = engine_.get("/v1/dead-letters" + query);
        EXPECT_EQ(answer.status, 200) << answer.text;
        Ids ids;
        for (const json::Value& item : *answer.body.find("items")->if_array()) {
            ids.push_back(*item.find("id")->if_string());
        }
        return ids;
    }
    static std::string member(const Answer& answer, std::string_view name) {
        const json::Value* value = answer.body.find(name);
        return value == nullptr ? "" : json::write(*value);
    }

    RestEngine engine_;
};

TEST_F(DeadLettersTest, AreFoundUntilSomebodyDealsWithThem) {
    const std::string one = dead();
    const std::string two = dead("near");
    const std::string three = dead();
    enqueue("far");
    EXPECT_EQ(listed(), (Ids{three, two, one}));
    EXPECT_EQ(listed("?definitionId=near"), Ids{two});
    EXPECT_EQ(listed("?reason=WORKFLOW_FAILED&pageSize=1&page=1"), Ids{two});
    EXPECT_EQ(engine_.get("/v1/workspaces/default/dead-letters").text,
              engine_.get("/v1/dead-letters").text);
    EXPECT_EQ(engine_.get("/v1/dead-letters/" + one).text,
              engine_.get("/v1/executions/" + one).text);

    EXPECT_EQ(post(one + "/dismiss").status, 200);
    EXPECT_EQ(post(one + "/dismiss").status, 200) << "again";
    EXPECT_EQ(engine_.get("/v1/dead-letters/" + one).status, 404);
    EXPECT_EQ(post(two + "/redrive").status, 202);
    EXPECT_EQ(listed(), Ids{three});
    EXPECT_EQ(status(one), "FAILED") << "it is only out of sight";
}

TEST_F(DeadLettersTest, AreGroupedByWhatIsAlike) {
    dead("far", "order 17 is gone");
    const std::string latest = dead("far", "order 18 is gone");
    dead("near", "order 19 is gone");
    const Answer groups = engine_.get("/v1/dead-letters/groups");
    const json::Array& items = *groups.body.find("items")->if_array();
    ASSERT_EQ(items.size(), 2u) << groups.text;
    EXPECT_EQ(json::write(items[0]),
              R"({"definitionId":"far","reason":"WORKFLOW_FAILED","message":"order 18 is gone",)"
              R"("count":2,"firstAt":"2027-01-15T08:00:00Z","lastAt":"2027-01-15T08:00:00Z",)"
              R"("latestId":")" +
                  latest + R"("})");
    EXPECT_EQ(engine_.get("/v1/workspaces/default/dead-letters/groups").text, groups.text);
    EXPECT_EQ(
        engine_.get("/v1/dead-letters/groups?pageSize=1").body.find("items")->if_array()->size(),
        1u);
}

TEST_F(DeadLettersTest, OneThatNeverRanKeepsItsId) {
    const std::string id = late();
    const auto exchange = engine_.send("POST", "/v1/dead-letters/" + id + "/redrive");
    const Answer redriven = RestEngine::answer_of(*exchange);
    EXPECT_EQ(redriven.status, 202) << redriven.text;
    EXPECT_EQ(redriven["id"], id);
    EXPECT_EQ(redriven["queueStatus"], "PENDING");
    EXPECT_EQ(redriven["deadline"], "") << "it would be over at once";
    EXPECT_EQ(exchange->answer()->headers.front().second, "/v1/executions/" + id);
    EXPECT_EQ(post(id + "/redrive").status, 409) << "it is none any more";
}

TEST_F(DeadLettersTest, OneThatRanIsDoneAgainByANewOne) {
    const std::string id = dead();
    const Answer redriven = post(id + "/redrive");
    EXPECT_EQ(redriven.status, 202);
    EXPECT_NE(redriven["id"], id);
    EXPECT_EQ(redriven["retryOf"], id);
    EXPECT_EQ(post(id + "/redrive").status, 409);
    EXPECT_EQ(post("01ARZ3NDEKTSV4RRFFQ8000000/redrive").status, 404);
    EXPECT_EQ(post("nonsense/dismiss").status, 404);
    EXPECT_EQ(post(redriven["id"] + "/dismiss").status, 409) << "it is open";
}

TEST_F(DeadLettersTest, ManyAreRedrivenAndToldHow) {
    const std::string ran = dead();
    const std::string never = late();
    const std::string other = dead("near");
    const Answer answer = post("redrive", R"({"filter":{"definitionId":"far"}})");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(member(answer, "redriven"), "2");
    const json::Array& executions = *answer.body.find("executions")->if_array();
    EXPECT_EQ(*executions[0].find("id")->if_string(), ran) << "the oldest first";
    EXPECT_EQ(json::write(*executions[0].find("newExecution")), "true");
    EXPECT_EQ(json::write(executions[1]),
              R"({"id":")" + never + R"(","executionId":")" + never + R"(","newExecution":false})");
    EXPECT_EQ(member(answer, "remaining"), "0");
    EXPECT_EQ(listed(), Ids{other});
}

TEST_F(DeadLettersTest, ATrialTakesTheFirstFewAndTellsWhatRemains) {
    Ids ids;
    for (int i = 0; i < 5; ++i) ids.push_back(late());
    const Answer trial =
        engine_.post("/v1/workspaces/default/dead-letters/redrive", R"({"filter":{},"trial":2})");
    EXPECT_EQ(member(trial, "redriven"), "2") << trial.text;
    EXPECT_EQ(member(trial, "remaining"), "3");
    EXPECT_EQ(status(ids[0]), "PENDING");
    EXPECT_EQ(status(ids[1]), "PENDING");
    EXPECT_EQ(listed(), (Ids{ids[4], ids[3], ids[2]}));
    const Answer named = post("redrive", R"({"ids":[")" + ids[2] + R"(",")" + ids[0] + R"(",")" +
                                             ids[3] + R"("],"trial":2})");
    EXPECT_EQ(member(named, "redriven"), "1");
    EXPECT_EQ(named.body.find("failed")->if_array()->size(), 1u);
    EXPECT_NE(named.text.find(R"({"id":")" + ids[0] + R"(","error":"conflict")"), std::string::npos)
        << named.text;
    EXPECT_EQ(member(named, "remaining"), "1");
    EXPECT_EQ(member(post("redrive", R"({"filter":{},"limit":1})"), "remaining"), "1");
}

TEST_F(DeadLettersTest, ARateSpreadsThem) {
    const Ids ids{late(), late(), late()};
    const std::string ran = dead();
    const Answer answer = post("redrive", R"({"filter":{},"ratePerSecond":2})");
    EXPECT_EQ(member(answer, "redriven"), "4");
    EXPECT_EQ(engine_.get("/v1/executions/" + ids[0])["notBefore"], "");
    EXPECT_EQ(engine_.get("/v1/executions/" + ids[1])["notBefore"], "2027-01-15T08:00:06.5Z");
    EXPECT_EQ(engine_.get("/v1/executions/" + ids[2])["notBefore"], "2027-01-15T08:00:07Z");
    const std::string again = engine_.get("/v1/executions/" + ran)["retriedBy"];
    EXPECT_EQ(engine_.get("/v1/executions/" + again)["notBefore"], "2027-01-15T08:00:07.5Z");
    EXPECT_EQ(engine_.get("/v1/executions/" + again)["nextAttemptAt"], "2027-01-15T08:00:07.5Z");
}

TEST_F(DeadLettersTest, ManyAreDismissedOrPurged) {
    const Ids ids{dead(), dead("near"), dead("near")};
    const Answer dismissed = post("dismiss", R"({"ids":[")" + ids[0] + R"("]})");
    EXPECT_EQ(dismissed.text, "{\"dismissed\":1,\"failed\":[],\"remaining\":0}\n");
    EXPECT_EQ(
        post("purge", R"({"ids":[")" + ids[0] + R"("]})").body.find("failed")->if_array()->size(),
        1u)
        << "it is no dead letter any more";
    EXPECT_EQ(status(ids[0]), "FAILED");
    const Answer purged = post("purge", R"({"filter":{"reason":"WORKFLOW_FAILED"},"limit":1})");
    EXPECT_EQ(purged.text, "{\"purged\":1,\"failed\":[],\"remaining\":1}\n");
    EXPECT_EQ(engine_.get("/v1/executions/" + ids[1]).status, 404);
    EXPECT_EQ(listed(), Ids{ids[2]});
    const Answer audit = engine_.get("/v1/audit?kind=EXECUTION_PURGED");
    EXPECT_EQ(member(audit, "total"), "1");
    EXPECT_NE(audit.text.find(ids[1]), std::string::npos);
}

TEST_F(DeadLettersTest, RefuseSelectionsThatMakeNoSense) {
    struct Row {
        const char* body;
        const char* field;
    };
    const Row rows[] = {
        {"{}", "ids"},
        {R"({"ids":["01ARZ3NDEKTSV4RRFFQ8000000"],"filter":{}})", "ids"},
        {R"({"ids":[]})", "ids"},
        {R"({"ids":"all"})", "ids"},
        {R"({"ids":["01ARZ3NDEKTSV4RRFFQ8000000","x"]})", "ids[1]"},
        {R"({"ids":[7]})", "ids[0]"},
        {R"({"filter":"all"})", "filter"},
        {R"({"filter":{"definition":"far"}})", "filter.definition"},
        {R"({"filter":{"reason":7}})", "filter.reason"},
        {R"({"filter":{"reason":""}})", "filter.reason"},
        {R"({"filter":{"definitionId":null}})", "filter.definitionId"},
        {R"({"filter":{"definitionId":"far","DefinitionId":"near"}})", "filter.definitionId"},
        {R"({"filter":{"definitionId":"far"},"dry_run":true})", "dry_run"},
        {R"({"filter":{},"Filter":{"definitionId":"far"}})", "filter"},
        {R"({"filter":{},"limit":0})", "limit"},
        {R"({"filter":{},"limit":10001})", "limit"},
    };
    for (const char* verb : {"redrive", "dismiss", "purge"}) {
        for (const Row& row : rows) {
            const Answer answer = post(verb, row.body);
            EXPECT_EQ(answer.status, 400) << row.body;
            EXPECT_NE(answer.text.find(R"("path":")" + std::string(row.field) + "\""),
                      std::string::npos)
                << answer.text;
        }
    }
    EXPECT_EQ(post("redrive", "{}")["reason"],
              "ids or filter is required: it says which dead letters are meant");
    for (const char* body : {R"({"filter":{},"trial":0})", R"({"filter":{},"ratePerSecond":0})",
                             R"({"filter":{},"ratePerSecond":"fast"})"}) {
        EXPECT_EQ(post("redrive", body).status, 400) << body;
    }
    std::string many = "{\"ids\":[\"x\"";
    for (int i = 0; i < 1'000; ++i) many += ",\"x\"";
    EXPECT_EQ(post("dismiss", many + "]}").status, 413);
}

TEST_F(DeadLettersTest, MoreThanAPageAreHandled) {
    for (int i = 0; i < 120; ++i) dead();
    const Answer answer = post("redrive", R"({"filter":{}})");
    EXPECT_EQ(member(answer, "redriven"), "120");
    EXPECT_EQ(member(answer, "remaining"), "0");
}

}  // namespace
}  // namespace millrace::rest
