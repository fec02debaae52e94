// The routes of workspaces and of their lines, as callers see them.

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

class WorkspacesTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    Answer create(std::string body) { return engine_.post("/v1/workspaces", std::move(body)); }
    Answer get(const std::string& id = "acme") { return engine_.get("/v1/workspaces/" + id); }
    Answer patch(std::string body) {
        return engine_.ask("PATCH", "/v1/workspaces/acme", std::move(body));
    }
    Answer remove(const std::string& query = "") {
        return engine_.ask("DELETE", "/v1/workspaces/acme" + query);
    }
    void upload(const char* definition) {
        EXPECT_EQ(engine_.post("/v1/workspaces/acme/definitions", definition).status, 201);
    }
    std::string enqueue(const char* body = R"({"definitionId":"hello"})") {
        const Answer answer = engine_.post("/v1/workspaces/acme/executions", body);
        EXPECT_EQ(answer.status, 202) << answer.text;
        return answer["id"];
    }
    std::string status(const std::string& id) {
        return engine_.get("/v1/executions/" + id)["queueStatus"];
    }
    std::string member(const Answer& answer, std::string_view name) {
        const json::Value* value = answer.body.find(name);
        return value == nullptr ? "" : json::write(*value);
    }

    RestEngine engine_;
};

TEST_F(WorkspacesTest, AreMadeWithThePlanThatIsNamed) {
    const auto exchange = engine_.send(
        "POST", "/v1/workspaces",
        R"({"id":"acme","name":"Acme","plan":"PRO","maxPerKey":2,"ratePerSecond":0.5})");
    EXPECT_EQ(exchange->answer()->status, 201);
    EXPECT_EQ(exchange->answer()->headers.front().second, "/v1/workspaces/acme");
    EXPECT_EQ(exchange->answer()->body,
              R"({"id":"acme","name":"Acme","plan":"PRO","maxPerKey":2,"ratePerSecond":0.5,)"
              R"("weight":1,"paused":false,"limits":{"maxPerKey":2,"maxActive":5,)"
              R"("ratePerSecond":0.5,"maxAttempts":3,"weight":1},)"
              R"("createdAt":"2027-01-15T08:00:00Z","changedAt":"2027-01-15T08:00:00Z"})"
              "\n");
    EXPECT_EQ(get().text, exchange->answer()->body);
    EXPECT_EQ(create(R"({"id":"acme"})").status, 409);
    const Answer least = create(R"({"id":"b"})");
    EXPECT_EQ(least["name"], "b");
    EXPECT_EQ(least["plan"], "FREE");
}

TEST_F(WorkspacesTest, RefuseSettingsThatMakeNoSense) {
    struct Row {
        const char* body;
        const char* field;
    };
    for (const Row& row : {
             Row{R"({})", "id"},
             Row{R"({"id":"No!"})", "id"},
             Row{R"({"id":7})", "id"},
             Row{R"({"id":"acme","plan":"GOLD"})", "plan"},
             Row{R"({"id":"acme","maxActive":-1})", "maxActive"},
             Row{R"({"id":"acme","maxActive":99999999999})", "maxActive"},
             Row{R"({"id":"acme","maxActive":"5"})", "maxActive"},
             Row{R"({"id":"acme","maxPerKey":0})", "maxPerKey"},
             Row{R"({"id":"acme","ratePerSecond":0})", "ratePerSecond"},
             Row{R"({"id":"acme","maxAttempts":101})", "maxAttempts"},
             Row{R"({"id":"acme","weight":0})", "weight"},
             Row{R"({"id":"acme","paused":"yes"})", "paused"},
         }) {
        const Answer answer = create(row.body);
        EXPECT_EQ(answer.status, 400) << row.body;
        EXPECT_NE(answer.text.find(R"("path":")" + std::string(row.field) + "\""),
                  std::string::npos)
            << answer.text;
    }
    EXPECT_EQ(get().status, 404);
}

TEST_F(WorkspacesTest, AreChangedFieldByField) {
    create(R"({"id":"acme","plan":"PRO","maxActive":7})");
    EXPECT_EQ(member(patch(R"({"paused":true,"name":"A"})"), "paused"), "true");
    EXPECT_EQ(member(get(), "maxActive"), "7");
    const Answer reset = patch(R"({"maxActive":null,"weight":3,"paused":false})");
    EXPECT_EQ(reset.status, 200);
    EXPECT_EQ(member(reset, "maxActive"), "");
    EXPECT_EQ(member(reset, "limits"),
              R"({"maxPerKey":1,"maxActive":5,"maxAttempts":3,"weight":3})");
    EXPECT_EQ(patch(R"({"weight":0})").status, 400);
    EXPECT_EQ(patch("{}").text, get().text);
    EXPECT_EQ(engine_.ask("PATCH", "/v1/workspaces/none", "{}").status, 404);
}

TEST_F(WorkspacesTest, AreListedPageByPage) {
    create(R"({"id":"acme"})");
    create(R"({"id":"zeta"})");
    const Answer first = engine_.get("/v1/workspaces?pageSize=2");
    EXPECT_EQ(member(first, "total"), "3") << "default is one";
    const Answer second = engine_.get("/v1/workspaces?pageSize=2&cursor=" + first["nextCursor"]);
    EXPECT_EQ(second.body.find("items")->if_array()->size(), 1u);
    EXPECT_NE(second.text.find(R"("id":"zeta")"), std::string::npos);
    http::HttpHeaders headers;
    headers.add("Millrace-Workspace", "acme");
    const Answer own = engine_.ask("GET", "/v1/workspaces", {}, headers);
    EXPECT_EQ(member(own, "total"), "1");
    EXPECT_NE(own.text.find(R"("id":"acme")"), std::string::npos);
}

TEST_F(WorkspacesTest, AnEmptyOneIsDeletedWithItsDefinitions) {
    create(R"({"id":"acme"})");
    upload(kHello);
    EXPECT_EQ(remove("?force=perhaps").status, 400);
    EXPECT_EQ(remove().status, 204);
    EXPECT_EQ(get().status, 404);
    EXPECT_EQ(remove().status, 404);
    EXPECT_EQ(engine_.get("/v1/workspaces/acme/definitions/hello").status, 404);
    EXPECT_EQ(engine_.post("/v1/workspaces/acme/executions", R"({"definitionId":"hello"})").status,
              404);
}

TEST_F(WorkspacesTest, OneWithOpenWorkIsKeptAsItWas) {
    create(R"({"id":"acme"})");
    upload(kHello);
    const std::string waiting = enqueue();
    enqueue();
    const Answer refused = remove();
    EXPECT_EQ(refused.status, 409);
    EXPECT_NE(refused.text.find(R"({"path":"executions","message":"2"})"), std::string::npos)
        << refused.text;
    EXPECT_EQ(member(get(), "paused"), "false");
    engine_.dispatch();
    EXPECT_EQ(status(waiting), "DISPATCHED");
    EXPECT_NE(remove().text.find(R"({"path":"instances","message":"1"})"), std::string::npos);
}

TEST_F(WorkspacesTest, ForceCancelsWhatIsOpen) {
    create(R"({"id":"acme","plan":"FREE"})");
    upload(kHello);
    const std::string running = enqueue();
    const std::string waiting = enqueue();
    engine_.dispatch();
    http::HttpHeaders headers;
    headers.add("Millrace-Workspace", "acme");
    const std::string direct =
        engine_.ask("POST", "/v1/instances", R"({"definitionId":"hello"})", headers)["id"];
    EXPECT_EQ(remove("?force=true").status, 204);
    EXPECT_EQ(get().status, 404);
    EXPECT_EQ(status(running), "CANCELLED");
    EXPECT_EQ(status(waiting), "CANCELLED");
    EXPECT_EQ(engine_.ask("GET", "/v1/instances/" + direct, {}, headers)["status"], "CANCELLED");
    EXPECT_EQ(member(engine_.get("/v1/workspaces/acme/executions"), "total"), "2") << "still found";
}

TEST_F(WorkspacesTest, ForceWaitsForWhatRunsElsewhere) {
    create(R"({"id":"acme"})");
    upload(kFar);
    const std::string id = enqueue(R"({"definitionId":"far"})");
    engine_.dispatch();
    const Answer refused = remove("?force=true");
    EXPECT_EQ(refused.status, 409);
    EXPECT_NE(refused.text.find(R"({"path":"executions","message":"1"})"), std::string::npos);
    EXPECT_EQ(member(get(), "paused"), "true") << "nothing more is let in";
    EXPECT_EQ(
        engine_.post("/v1/executions/" + id + "/completion", R"({"status":"CANCELLED"})").status,
        200);
    EXPECT_EQ(remove("?force=true").status, 204);
}

TEST_F(WorkspacesTest, TheDefaultOneStays) {
    engine_.post("/v1/definitions", kHello);
    const std::string id =
        engine_.post("/v1/workspaces/default/executions", R"({"definitionId":"hello"})")["id"];
    EXPECT_EQ(engine_.ask("DELETE", "/v1/workspaces/default?force=true").status, 409);
    EXPECT_EQ(status(id), "PENDING") << "nothing was cancelled for it";
}

TEST_F(WorkspacesTest, ALineTellsHowItStands) {
    create(R"({"id":"acme","plan":"FREE","weight":2})");
    upload(kHello);
    enqueue();
    enqueue();
    enqueue(R"({"definitionId":"hello","notBefore":"2030-01-01T00:00:00Z"})");
    engine_.dispatch();
    engine_.clock().advance(std::chrono::milliseconds{2'500});
    const Answer queue = engine_.get("/v1/workspaces/acme/queue");
    EXPECT_EQ(queue.text,
              R"({"workspaceId":"acme","paused":false,"limits":{"maxPerKey":1,"maxActive":1,)"
              R"("maxAttempts":3,"weight":2},"active":1,)"
              R"("places":{"READY":1,"PARKED":0,"DUE":1,"ACTIVE":1},)"
              R"("queueStatuses":{"PENDING":2,"CLAIMED":0,"DISPATCHED":1},"countsCapped":false,)"
              R"("deadLetters":0,"oldestWaitingSince":"2027-01-15T08:00:00Z",)"
              R"("oldestAgeSeconds":2.5})"
              "\n");
    EXPECT_EQ(engine_.get("/v1/workspaces/none/queue").status, 404);
}

TEST_F(WorkspacesTest, OldClaimsAreTakenOver) {
    create(R"({"id":"acme","plan":"UNLIMITED"})");
    upload(kFar);
    const std::string id = enqueue(R"({"definitionId":"far"})");
    engine_.dispatch();
    ASSERT_EQ(status(id), "CLAIMED");
    const auto recover = [&](const char* body, const std::string& workspace = "acme") {
        return engine_.post("/v1/workspaces/" + workspace + "/queue/recover", body);
    };
    engine_.clock().advance(std::chrono::minutes{4});
    EXPECT_EQ(recover(R"({"olderThanSeconds":300})").text, "{\"recovered\":0}\n");
    EXPECT_EQ(recover(R"({"olderThanSeconds":200})", "default").text, "{\"recovered\":0}\n")
        << "those of others are theirs";
    EXPECT_EQ(recover(R"({"olderThanSeconds":200})").text, "{\"recovered\":1}\n");
    const Answer recovered = engine_.get("/v1/executions/" + id);
    EXPECT_EQ(recovered["queueStatus"], "CLAIMED") << "its slot stays with it";
    EXPECT_EQ(member(recovered, "recoveries"), "1");
    EXPECT_EQ(recover(R"({"olderThanSeconds":200})").text, "{\"recovered\":0}\n");
    EXPECT_NE(engine_.get("/v1/audit?kind=EXECUTION_RECOVERED").status, 400);

    EXPECT_EQ(recover(R"({"olderThanSeconds":1})", "none").status, 404);
    for (const char* bad : {"{}", R"({"olderThanSeconds":-1})", R"({"olderThanSeconds":"1"})"}) {
        EXPECT_EQ(recover(bad).status, 400) << bad;
    }
}

TEST_F(WorkspacesTest, DefinitionsAreThereByPathToo) {
    upload(kHello);
    const auto in_acme = [&](const std::string& rest) {
        return engine_.get("/v1/workspaces/acme/definitions" + rest);
    };
    EXPECT_EQ(member(in_acme(""), "total"), "1");
    EXPECT_EQ(in_acme("/hello")["name"], "Hello");
    EXPECT_EQ(member(in_acme("/hello/versions"), "total"), "1");
    EXPECT_EQ(in_acme("/hello/versions/1")["name"], "Hello");
    EXPECT_EQ(in_acme("/hello/versions/x").status, 400);
    EXPECT_EQ(engine_.get("/v1/definitions/hello").status, 404) << "the default workspace has none";
    EXPECT_EQ(engine_.get("/v1/workspaces/No!/definitions").status, 404);
    http::HttpHeaders headers;
    headers.add("Millrace-Workspace", "globex");
    EXPECT_EQ(engine_.ask("GET", "/v1/workspaces/acme/definitions", {}, headers).status, 400)
        << "one of them is a mistake";
}

class WorkspaceKeysTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    WorkspaceKeysTest() {
        EXPECT_EQ(ask(cluster_, "POST", "/v1/workspaces", R"({"id":"acme"})").status, 201);
        EXPECT_EQ(ask(cluster_, "POST", "/v1/workspaces", R"({"id":"globex"})").status, 201);
        EXPECT_EQ(ask(cluster_, "POST", "/v1/workspaces/acme/definitions", kFar).status, 201);
    }

    Answer ask(const std::string& key, std::string method, std::string_view target,
               std::string body = {}) {
        http::HttpHeaders headers;
        headers.add("Authorization", "Bearer " + key);
        return engine_.ask(std::move(method), target, std::move(body), headers);
    }

    RestEngine engine_{RestEngine::Keys::asked_for};
    const std::string cluster_ = engine_.add_key(Role::admin);
    const std::string acme_ = engine_.add_key(Role::admin, WorkspaceId{"acme"});
    const std::string globex_ = engine_.add_key(Role::admin, WorkspaceId{"globex"});
    const std::string worker_ = engine_.add_key(Role::worker, WorkspaceId{"acme"});
};

TEST_F(WorkspaceKeysTest, OnlyThoseOfTheClusterDecideOverWorkspaces) {
    EXPECT_EQ(ask(acme_, "POST", "/v1/workspaces", R"({"id":"mine"})").status, 403);
    EXPECT_EQ(ask(acme_, "DELETE", "/v1/workspaces/acme").status, 403);
    for (const char* body : {R"({"plan":"ENTERPRISE"})", R"({"maxActive":9})", R"({"maxPerKey":9})",
                             R"({"ratePerSecond":9})", R"({"maxAttempts":9})", R"({"weight":9})",
                             R"({"maxActive":null})", R"({"paused":true,"weight":9})"}) {
        EXPECT_EQ(ask(acme_, "PATCH", "/v1/workspaces/acme", body).status, 403) << body;
    }
    EXPECT_EQ(ask(acme_, "PATCH", "/v1/workspaces/acme", R"({"paused":true,"name":"A"})").status,
              200);
    EXPECT_EQ(ask(cluster_, "PATCH", "/v1/workspaces/acme", R"({"plan":"PRO"})").status, 200);
}

TEST_F(WorkspaceKeysTest, SeeTheirOwnWorkspaceAlone) {
    const Answer own = ask(acme_, "GET", "/v1/workspaces");
    EXPECT_EQ(*own.body.find("total")->if_integer(), 1);
    EXPECT_EQ(ask(acme_, "GET", "/v1/workspaces?page=1").body.find("items")->if_array()->size(),
              0u);
    EXPECT_EQ(ask(acme_, "GET", "/v1/workspaces/acme").status, 200);
    const Answer foreign = ask(acme_, "GET", "/v1/workspaces/globex");
    const Answer missing = ask(acme_, "GET", "/v1/workspaces/nobody");
    EXPECT_EQ(foreign.status, 404);
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(foreign["message"], R"(workspace "globex" not found)");
    EXPECT_EQ(missing["message"], R"(workspace "nobody" not found)");
}

TEST_F(WorkspaceKeysTest, AForeignDefinitionIsNotFoundByThoseWhoMayNotKnowOfIt) {
    const std::string body = R"({"definitionId":"far"})";
    EXPECT_EQ(ask(globex_, "POST", "/v1/workspaces/globex/executions", body).status, 404);
    EXPECT_EQ(ask(cluster_, "POST", "/v1/workspaces/globex/executions", body).status, 403);
    EXPECT_EQ(ask(globex_, "POST", "/v1/workspaces/acme/executions", body).status, 404);
}

TEST_F(WorkspaceKeysTest, AnExecutionIsFoundByItsIdWhereTheCallerMayLook) {
    const Answer enqueued =
        ask(acme_, "POST", "/v1/workspaces/acme/executions", R"({"definitionId":"far"})");
    ASSERT_EQ(enqueued.status, 202) << enqueued.text;
    EXPECT_EQ(enqueued["requestedBy"], "a key");
    const std::string one = "/v1/executions/" + enqueued["id"];
    EXPECT_EQ(ask(acme_, "GET", one).status, 200);
    EXPECT_EQ(ask(cluster_, "GET", one).status, 200);
    EXPECT_EQ(ask(globex_, "GET", one).status, 404);
    EXPECT_EQ(ask(globex_, "POST", one + "/cancel").status, 404);
    EXPECT_EQ(ask(globex_, "POST", one + "/completion", R"({"status":"FAILED"})").status, 404);
    EXPECT_EQ(ask(worker_, "GET", one).status, 403) << "a worker reads nothing";
    EXPECT_EQ(ask(worker_, "POST", one + "/completion", R"({"status":"FAILED"})").status, 200);
    EXPECT_EQ(ask(globex_, "POST", one + "/retry").status, 404);
    EXPECT_EQ(ask(cluster_, "POST", one + "/retry").status, 202);
}

}  // namespace
}  // namespace millrace::rest
