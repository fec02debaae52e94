#include <gtest/gtest.h>

#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

constexpr const char* kApproval = R"({"id":"approval","name":"Approval","steps":[
  {"id":"approve","name":"Approve it","type":"USER_TASK","candidateGroups":["clerks"],
   "form":{"fields":["amount"]},"nextStep":"sign"},
  {"id":"sign","name":"Sign it","type":"USER_TASK","assignee":"ada","nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";

class RestUserTasksTest : public testing::Test {
protected:
    using Answer = RestEngine::Answer;

    void SetUp() override {
        ASSERT_EQ(engine_.post("/v1/definitions", kApproval).status, 201);
        instance_ = engine_.post("/v1/instances",
                                 R"({"definitionId":"approval","variables":{"amount":7}})")["id"];
        task_ = only_task();
    }

    std::string only_task(const std::string& query = "") {
        const Answer listed = engine_.get("/v1/user-tasks?" + query);
        EXPECT_EQ(listed.status, 200) << listed.text;
        const json::Array& items = *listed.body.find("items")->if_array();
        EXPECT_EQ(items.size(), 1u) << listed.text;
        return items.empty() ? "" : *items.front().find("id")->if_string();
    }
    std::int64_t total(const std::string& query) {
        const Answer listed = engine_.get("/v1/user-tasks?" + query);
        EXPECT_EQ(listed.status, 200) << listed.text;
        return *listed.body.find("total")->if_integer();
    }
    Answer act(const std::string& action, std::string body = {}) {
        return engine_.post("/v1/user-tasks/" + task_ + "/" + action, std::move(body));
    }

    RestEngine engine_;
    std::string instance_;
    std::string task_;
};

TEST_F(RestUserTasksTest, ShowsATaskWithAllThatItsPersonNeeds) {
    const Answer task = engine_.get("/v1/user-tasks/" + task_);
    EXPECT_EQ(task.status, 200) << task.text;
    EXPECT_EQ(task["instanceId"], instance_);
    EXPECT_EQ(task["definitionId"], "approval");
    EXPECT_EQ(task["stepId"], "approve");
    EXPECT_EQ(task["name"], "Approve it");
    EXPECT_EQ(task["status"], "OPEN");
    EXPECT_NE(task.text.find(R"("candidateGroups":["clerks"])"), std::string::npos);
    EXPECT_NE(task.text.find(R"("form":{"fields":["amount"]})"), std::string::npos);
    EXPECT_NE(task.text.find(R"("variables":{"amount":7})"), std::string::npos);
    for (const char* id : {"nonsense", "01ARZ3NDEKTSV4RRFFQ69G5FAV"}) {
        EXPECT_EQ(engine_.get(std::string("/v1/user-tasks/") + id).status, 404);
    }
    EXPECT_EQ(engine_.get("/v1/user-tasks/" + instance_).status, 404);
}

TEST_F(RestUserTasksTest, IsClaimedByOneAndGivenBack) {
    EXPECT_EQ(act("claim").status, 400);
    const Answer claimed = act("claim", R"({"userId":"bob"})");
    EXPECT_EQ(claimed.status, 200) << claimed.text;
    EXPECT_EQ(claimed["assignee"], "bob");
    EXPECT_NE(claimed["claimedAt"], "");
    EXPECT_EQ(act("claim", R"({"userId":"bob"})").status, 200);
    EXPECT_EQ(act("claim", R"({"userId":"eve"})").status, 409);
    EXPECT_EQ(act("complete", R"({"userId":"eve"})").status, 409);
    EXPECT_EQ(act("unclaim", R"({"userId":"eve"})").status, 409);
    EXPECT_EQ(act("unclaim", R"({"userId":"bob"})").status, 200);
    EXPECT_EQ(act("unclaim").status, 200);
    EXPECT_EQ(act("claim", R"({"userId":"eve"})").status, 200);
    EXPECT_EQ(act("assign").status, 400);
    EXPECT_EQ(act("assign", R"({"assignee":"zoe"})")["assignee"], "zoe");
}

TEST_F(RestUserTasksTest, IsCompletedOnceAndRemembersByWhom) {
    EXPECT_EQ(act("complete", R"({"completedBy":"bob","result":{"ok":true}})").status, 204);
    EXPECT_EQ(act("complete", R"({"userId":"bob"})").status, 409);
    EXPECT_EQ(act("claim", R"({"userId":"bob"})").status, 409);
    const Answer done = engine_.get("/v1/user-tasks/" + task_);
    EXPECT_EQ(done["status"], "COMPLETED");
    EXPECT_EQ(done["completedBy"], "bob");
    EXPECT_NE(done["completedAt"], "");

    task_ = only_task();
    EXPECT_EQ(engine_.get("/v1/user-tasks/" + task_)["assignee"], "ada");
    EXPECT_EQ(act("complete", R"({"userId":"ada"})").status, 204);
    EXPECT_EQ(engine_.get("/v1/instances/" + instance_)["status"], "COMPLETED");
    const Answer history = engine_.get("/v1/instances/" + instance_ + "/history");
    EXPECT_NE(history.text.find(R"("userTaskId":")" + task_ + R"(","completedBy":"ada")"),
              std::string::npos)
        << history.text;
}

TEST_F(RestUserTasksTest, IsFoundByWhatItIs) {
    EXPECT_EQ(total("group=clerks"), 1);
    EXPECT_EQ(total("group=others"), 0);
    EXPECT_EQ(total("unassigned=true"), 1);
    EXPECT_EQ(total("type=approve"), 1);
    EXPECT_EQ(total("stepId=sign"), 0);
    EXPECT_EQ(total("definitionId=approval"), 1);
    EXPECT_EQ(total("instanceId=" + instance_), 1);
    EXPECT_EQ(total("instanceId=nonsense"), 0);
    ASSERT_EQ(act("complete", R"({"userId":"bob"})").status, 204);
    EXPECT_EQ(total(""), 1);
    EXPECT_EQ(total("status=ALL"), 2);
    EXPECT_EQ(total("status=COMPLETED"), 1);
    for (const char* query : {"status=NONE", "status=open", "status=OPEN,COMPLETED",
                              "unassigned=bogus", "unassigned=TRUE"}) {
        EXPECT_EQ(engine_.get(std::string("/v1/user-tasks?") + query).status, 400) << query;
    }
    EXPECT_EQ(total("assignee=ada"), 1);
    EXPECT_EQ(total("unassigned=true"), 0);
}

TEST_F(RestUserTasksTest, EndsWithItsInstance) {
    ASSERT_EQ(engine_.post("/v1/instances/" + instance_ + "/cancel").status, 200);
    EXPECT_EQ(engine_.get("/v1/user-tasks/" + task_)["status"], "CANCELLED");
    EXPECT_EQ(act("complete").status, 409);
}

TEST_F(RestUserTasksTest, WaitsWhileItsInstanceIsSuspended) {
    ASSERT_EQ(engine_.post("/v1/instances/" + instance_ + "/suspend").status, 200);
    EXPECT_EQ(act("claim", R"({"userId":"bob"})").status, 200);
    EXPECT_EQ(act("complete").status, 409);
    ASSERT_EQ(engine_.post("/v1/instances/" + instance_ + "/resume").status, 200);
    EXPECT_EQ(act("complete").status, 204);
}

// By its id and by its step; a name in the body is better than that of the key.
TEST(RestUserTasksKeysTest, NameTheKeyOfWhoeverNamesNobody) {
    RestEngine engine(RestEngine::Keys::asked_for);
    const auto key = headers_of(engine.add_key(Role::admin));
    ASSERT_EQ(engine.ask("POST", "/v1/definitions", kApproval, key).status, 201);
    const std::string instance =
        "/v1/instances/" +
        engine.ask("POST", "/v1/instances", R"({"definitionId":"approval"})", key)["id"];
    const json::Value listed = engine.ask("GET", "/v1/user-tasks", "", key).body;
    const std::string task =
        "/v1/user-tasks/" + *listed.find("items")->if_array()->front().find("id")->if_string();
    EXPECT_EQ(engine.ask("POST", task + "/complete", "", key).status, 204);
    EXPECT_EQ(engine.ask("GET", task, "", key)["completedBy"], "a key");
    EXPECT_EQ(engine.ask("POST", instance + "/user-tasks/sign/complete", "", key).status, 204);
    const std::string history = engine.ask("GET", instance + "/history", "", key).text;
    const std::size_t first = history.find(R"("completedBy":"a key")");
    ASSERT_NE(first, std::string::npos) << history;
    EXPECT_NE(history.find(R"("completedBy":"a key")", first + 1), std::string::npos) << history;
}

}  // namespace
}  // namespace millrace::rest
