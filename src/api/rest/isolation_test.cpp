// Goal: nobody sees or touches what belongs to another workspace, on any route. Method: fill one
// workspace, then ask for its things from another one, on every route that the router has. A route
// without a case fails the test.

#include <gtest/gtest.h>

#include <map>

#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

constexpr const char* kOrder = R"({"id":"order","name":"Precious","steps":[
  {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"pay","nextStep":"approve"},
  {"id":"approve","name":"Approve","type":"USER_TASK","nextStep":"shipped"},
  {"id":"shipped","name":"Shipped","type":"WAIT","nextStep":"done"},
  {"id":"done","name":"Done","type":"END"}]})";

constexpr const char* kFar = R"({"id":"far","name":"Precious","steps":[],
  "executor":{"kind":"temporal","workflowType":"Far"}})";

enum class Expected {
    not_found,        // 404.
    item_not_found,   // 200, and the only item is 404.
    failed,           // 200, and the only one that is named was not found.
    empty,            // 200 and nothing in the list.
    nothing_foreign,  // Any answer: the call names nothing of somebody else.
    by_id,            // 404; found by its id alone, where nothing narrows what a caller sees.
    item_by_id,       // The same for the only item of a list: 200, and it is 404.
    of_all,           // 200 and nothing in the list; all workspaces, where nothing narrows that.
    by_path,          // 404; the path names the workspace. 400 where the header names another one.
};

struct Case {
    std::string target;
    std::string body;
    Expected expected;
};

class IsolationTest : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(acme("POST", "/v1/definitions", kOrder).status, 201);
        at_job_ = start();
        job_ = claim();
        at_task_ = start();
        complete(claim());
        const auto tasks = acme("GET", "/v1/user-tasks");
        task_ = *tasks.body.find("items")->if_array()->at(0).find("id")->if_string();
        at_wait_ = start();
        complete(claim());
        ASSERT_EQ(acme("POST", "/v1/instances/" + at_wait_ + "/user-tasks/approve/complete").status,
                  204);
        ASSERT_EQ(cluster("POST", "/v1/workspaces", R"({"id":"acme","name":"Precious"})").status,
                  201);
        execution_ = enqueue();
        dead_letter_ = enqueue();
        ASSERT_EQ(acme("POST", "/v1/executions/" + dead_letter_ + "/completion",
                       R"({"status":"FAILED","error":{"message":"precious"}})")
                      .status,
                  200);
    }

    RestEngine::Answer acme(std::string method, const std::string& target, std::string body = {}) {
        return engine_.ask(std::move(method), target, std::move(body), headers_of(acme_key_));
    }
    RestEngine::Answer cluster(std::string method, const std::string& target,
                               std::string body = {}) {
        return engine_.ask(std::move(method), target, std::move(body), headers_of(cluster_key_));
    }
    std::string enqueue() {
        acme("POST", "/v1/workspaces/acme/definitions", kFar);
        return acme("POST", "/v1/workspaces/acme/executions",
                    R"({"definitionId":"far","input":{"a":"precious"}})")["id"];
    }
    std::string start() {
        return acme(
            "POST", "/v1/instances",
            R"({"definitionId":"order","businessKey":"precious","variables":{"a":"precious"}})")
            ["id"];
    }
    std::string claim() {
        const auto polled =
            acme("POST", "/v1/jobs/poll", R"({"workerId":"w1","jobTypes":["pay"]})");
        const json::Array* jobs = polled.body.find("jobs")->if_array();
        return jobs->size() == 1 ? *jobs->front().find("id")->if_string() : "";
    }
    void complete(const std::string& job) {
        ASSERT_EQ(acme("POST", "/v1/jobs/" + job + "/complete", R"({"workerId":"w1"})").status,
                  204);
    }

    // By route. Every id is one of acme's.
    std::map<std::string, Case> cases() const {
        const std::string instance = "/v1/instances/" + at_job_;
        const std::string job = "/v1/jobs/" + job_;
        const std::string task = "/v1/user-tasks/" + task_;
        const std::string workspace = "/v1/workspaces/acme";
        const std::string execution = "/v1/executions/" + execution_;
        const std::string dead_letter = "/v1/dead-letters/" + dead_letter_;
        const std::string dead = R"({"ids":[")" + dead_letter_ + R"("]})";
        const std::string proof = R"({"workerId":"w1","leaseToken":1})";
        const std::string named = R"({"jobs":[{"jobId":")" + job_ + R"(","workerId":"w1"}]})";
        return {
            {"GET /", {"/", "", Expected::nothing_foreign}},
            {"GET /healthz", {"/healthz", "", Expected::nothing_foreign}},
            {"GET /readyz", {"/readyz", "", Expected::nothing_foreign}},
            {"GET /openapi.json", {"/openapi.json", "", Expected::nothing_foreign}},
            {"GET /definition.schema.json",
             {"/definition.schema.json", "", Expected::nothing_foreign}},
            {"GET /v1/whoami", {"/v1/whoami", "", Expected::nothing_foreign}},
            {"POST /v1/backup", {"/v1/backup", "", Expected::nothing_foreign}},
            {"POST /v1/definitions", {"/v1/definitions", "{}", Expected::nothing_foreign}},
            {"GET /v1/definitions", {"/v1/definitions", "", Expected::empty}},
            {"GET /v1/definitions/{id}", {"/v1/definitions/order", "", Expected::not_found}},
            {"GET /v1/definitions/{id}/versions",
             {"/v1/definitions/order/versions", "", Expected::not_found}},
            {"GET /v1/definitions/{id}/versions/{version}",
             {"/v1/definitions/order/versions/1", "", Expected::not_found}},
            {"POST /v1/instances",
             {"/v1/instances", R"({"definitionId":"order"})", Expected::not_found}},
            {"POST /v1/instances:batch",
             {"/v1/instances:batch", R"({"instances":[{"definitionId":"order"}]})",
              Expected::item_not_found}},
            {"GET /v1/instances", {"/v1/instances?businessKey=precious", "", Expected::empty}},
            {"GET /v1/instances/{id}", {instance, "", Expected::not_found}},
            {"GET /v1/instances/{id}/history", {instance + "/history", "", Expected::not_found}},
            {"POST /v1/instances/{id}/cancel", {instance + "/cancel", "", Expected::not_found}},
            {"GET /v1/instances/{id}/events", {instance + "/events", "", Expected::not_found}},
            {"POST /v1/instances:cancel",
             {"/v1/instances:cancel", R"({"filter":{"definitionId":"order"}})", Expected::empty}},
            {"POST /v1/instances/{id}/retry", {instance + "/retry", "", Expected::not_found}},
            {"POST /v1/instances/{id}/suspend", {instance + "/suspend", "", Expected::not_found}},
            {"POST /v1/instances/{id}/resume", {instance + "/resume", "", Expected::not_found}},
            {"PATCH /v1/instances/{id}/variables",
             {instance + "/variables", R"({"variables":{"a":1}})", Expected::not_found}},
            {"GET /v1/user-tasks", {"/v1/user-tasks?status=ALL", "", Expected::empty}},
            {"GET /v1/user-tasks/{id}", {task, "", Expected::not_found}},
            {"POST /v1/user-tasks/{id}/claim",
             {task + "/claim", R"({"userId":"eve"})", Expected::not_found}},
            {"POST /v1/user-tasks/{id}/unclaim", {task + "/unclaim", "", Expected::not_found}},
            {"POST /v1/user-tasks/{id}/assign",
             {task + "/assign", R"({"assignee":"eve"})", Expected::not_found}},
            {"POST /v1/user-tasks/{id}/complete", {task + "/complete", "", Expected::not_found}},
            {"GET /v1/jobs", {"/v1/jobs", "", Expected::empty}},
            {"GET /v1/jobs/{id}", {job, "", Expected::by_id}},
            {"POST /v1/instances/{id}/user-tasks/{stepId}/complete",
             {"/v1/instances/" + at_task_ + "/user-tasks/approve/complete", "",
              Expected::not_found}},
            {"POST /v1/instances/{id}/signals/{stepId}",
             {"/v1/instances/" + at_wait_ + "/signals/shipped", "", Expected::not_found}},
            {"POST /v1/jobs/poll",
             {"/v1/jobs/poll", R"({"workerId":"w2","jobTypes":["pay"]})", Expected::of_all}},
            {"POST /v1/jobs/complete", {"/v1/jobs/complete", named, Expected::item_by_id}},
            {"POST /v1/jobs/fail", {"/v1/jobs/fail", named, Expected::item_by_id}},
            {"POST /v1/jobs/release", {"/v1/jobs/release", named, Expected::item_by_id}},
            {"POST /v1/jobs/{id}/complete", {job + "/complete", proof, Expected::by_id}},
            {"POST /v1/jobs/{id}/fail", {job + "/fail", proof, Expected::by_id}},
            {"POST /v1/jobs/{id}/release", {job + "/release", proof, Expected::by_id}},
            {"POST /v1/jobs/{id}/extend", {job + "/extend", proof, Expected::by_id}},
            {"POST /v1/workspaces/{ws}/definitions",
             {workspace + "/definitions", kOrder, Expected::by_path}},
            {"GET /v1/workspaces/{ws}/definitions",
             {workspace + "/definitions", "", Expected::by_path}},
            {"GET /v1/workspaces/{ws}/definitions/{id}",
             {workspace + "/definitions/order", "", Expected::by_path}},
            {"GET /v1/workspaces/{ws}/definitions/{id}/versions",
             {workspace + "/definitions/order/versions", "", Expected::by_path}},
            {"GET /v1/workspaces/{ws}/definitions/{id}/versions/{version}",
             {workspace + "/definitions/order/versions/1", "", Expected::by_path}},
            {"POST /v1/workspaces", {"/v1/workspaces", "{}", Expected::nothing_foreign}},
            {"GET /v1/workspaces", {"/v1/workspaces", "", Expected::nothing_foreign}},
            {"GET /v1/workspaces/{ws}", {workspace, "", Expected::by_path}},
            {"PATCH /v1/workspaces/{ws}", {workspace, R"({"name":"x"})", Expected::by_path}},
            {"DELETE /v1/workspaces/{ws}", {workspace + "?force=true", "", Expected::by_path}},
            {"GET /v1/workspaces/{ws}/queue", {workspace + "/queue", "", Expected::by_path}},
            {"POST /v1/workspaces/{ws}/queue/recover",
             {workspace + "/queue/recover", R"({"olderThanSeconds":0})", Expected::by_path}},
            {"POST /v1/workspaces/{ws}/executions",
             {workspace + "/executions", R"({"definitionId":"far"})", Expected::by_path}},
            {"POST /v1/workspaces/{ws}/executions:batch",
             {workspace + "/executions:batch", R"({"executions":[{"definitionId":"far"}]})",
              Expected::by_path}},
            {"GET /v1/workspaces/{ws}/executions",
             {workspace + "/executions", "", Expected::by_path}},
            {"GET /v1/executions/{id}", {execution, "", Expected::by_id}},
            {"GET /v1/executions/{id}/explain", {execution + "/explain", "", Expected::by_id}},
            {"GET /v1/instances/{id}/explain", {instance + "/explain", "", Expected::not_found}},
            {"GET /v1/jobs/{id}/explain", {job + "/explain", "", Expected::by_id}},
            {"GET /v1/workspaces/{ws}/explain", {workspace + "/explain", "", Expected::by_path}},
            {"POST /v1/executions/{id}/cancel", {execution + "/cancel", "", Expected::by_id}},
            {"POST /v1/executions/{id}/retry", {execution + "/retry", "", Expected::by_id}},
            {"POST /v1/executions/{id}/completion",
             {execution + "/completion", R"({"status":"FAILED"})", Expected::by_id}},
            {"GET /v1/workspaces/{ws}/dead-letters",
             {workspace + "/dead-letters", "", Expected::by_path}},
            {"GET /v1/workspaces/{ws}/dead-letters/groups",
             {workspace + "/dead-letters/groups", "", Expected::by_path}},
            {"POST /v1/workspaces/{ws}/dead-letters/redrive",
             {workspace + "/dead-letters/redrive", dead, Expected::by_path}},
            {"POST /v1/workspaces/{ws}/dead-letters/dismiss",
             {workspace + "/dead-letters/dismiss", dead, Expected::by_path}},
            {"POST /v1/workspaces/{ws}/dead-letters/purge",
             {workspace + "/dead-letters/purge", dead, Expected::by_path}},
            {"GET /v1/dead-letters", {"/v1/dead-letters", "", Expected::empty}},
            {"GET /v1/dead-letters/groups", {"/v1/dead-letters/groups", "", Expected::empty}},
            {"POST /v1/dead-letters/redrive", {"/v1/dead-letters/redrive", dead, Expected::failed}},
            {"POST /v1/dead-letters/dismiss", {"/v1/dead-letters/dismiss", dead, Expected::failed}},
            {"POST /v1/dead-letters/purge", {"/v1/dead-letters/purge", dead, Expected::failed}},
            {"GET /v1/dead-letters/{id}", {dead_letter, "", Expected::by_id}},
            {"POST /v1/dead-letters/{id}/redrive", {dead_letter + "/redrive", "", Expected::by_id}},
            {"POST /v1/dead-letters/{id}/dismiss", {dead_letter + "/dismiss", "", Expected::by_id}},
            {"GET /v1/audit", {"/v1/audit?kind=INSTANCE_STARTED", "", Expected::empty}},
            {"GET /v1/instances/{id}/audit", {instance + "/audit", "", Expected::not_found}},
            {"GET /v1/keys", {"/v1/keys", "", Expected::nothing_foreign}},
            {"POST /v1/keys", {"/v1/keys", "{}", Expected::nothing_foreign}},
            {"DELETE /v1/keys/{id}",
             {"/v1/keys/" + acme_key_.substr(3, 12), "", Expected::not_found}},
        };
    }

    static void check(const Case& each, const RestEngine::Answer& answer) {
        EXPECT_EQ(answer.text.find("recious"), std::string::npos) << each.target << answer.text;
        // The examples of the document are nobody's.
        const bool names_it = each.expected == Expected::by_path || each.target == "/openapi.json";
        EXPECT_TRUE(names_it || answer.text.find("acme") == std::string::npos)
            << each.target << answer.text;
        const auto list_size = [&](const char* name) {
            const json::Value* list = answer.body.find(name);
            return list == nullptr ? std::size_t{0} : list->if_array()->size();
        };
        switch (each.expected) {
            case Expected::not_found: EXPECT_EQ(answer.status, 404) << each.target; break;
            case Expected::empty:
            case Expected::of_all:
                EXPECT_EQ(answer.status, 200) << each.target;
                EXPECT_EQ(list_size("items") + list_size("jobs"), 0u) << answer.text;
                break;
            case Expected::item_not_found:
            case Expected::item_by_id:
                EXPECT_EQ(answer.status, 200) << each.target;
                EXPECT_NE(answer.text.find(R"("status":404)"), std::string::npos) << answer.text;
                break;
            case Expected::failed:
                EXPECT_EQ(answer.status, 200) << each.target;
                EXPECT_NE(answer.text.find(R"("error":"not-found")"), std::string::npos)
                    << answer.text;
                break;
            case Expected::by_id: EXPECT_EQ(answer.status, 404) << each.target; break;
            case Expected::by_path:
                EXPECT_TRUE(answer.status == 404 || answer.status == 400) << each.target;
                break;
            case Expected::nothing_foreign: break;
        }
    }

    static bool is_asked_always(const Case&) { return true; }

    // Asks on every route with these headers.
    void ask_everywhere(const http::HttpHeaders& asker,
                        const std::function<void(const Case&, const RestEngine::Answer&)>& see,
                        const std::function<bool(const Case&)>& is_asked = is_asked_always) {
        const std::map<std::string, Case> known = cases();
        for (const http::Route& route : engine_.router().routes()) {
            const std::string name = route.method + " " + route.pattern;
            SCOPED_TRACE(name);
            const auto found = known.find(name);
            if (found == known.end()) {
                ADD_FAILURE() << "a route without a case: what does it give away?";
                continue;
            }
            if (!is_asked(found->second)) continue;
            see(found->second,
                engine_.ask(route.method, found->second.target, found->second.body, asker));
        }
    }

    // Everything of acme's is as it was.
    void expect_untouched() {
        for (const std::string& id : {at_job_, at_task_, at_wait_}) {
            const std::string status = acme("GET", "/v1/instances/" + id)["status"];
            EXPECT_TRUE(status == "ACTIVE" || status == "WAITING") << status;
        }
        complete(job_);
        EXPECT_EQ(acme("POST", "/v1/instances/" + at_wait_ + "/signals/shipped").status, 204);
        EXPECT_EQ(acme("GET", "/v1/workspaces/acme")["name"], "Precious");
        EXPECT_EQ(acme("GET", "/v1/executions/" + execution_)["queueStatus"], "PENDING");
        EXPECT_EQ(acme("GET", "/v1/dead-letters/" + dead_letter_).status, 200);
        const auto definitions = acme("GET", "/v1/definitions");
        EXPECT_EQ(*definitions.body.find("total")->if_integer(), 2);
        const auto executions = acme("GET", "/v1/workspaces/acme/executions");
        EXPECT_EQ(*executions.body.find("total")->if_integer(), 2);
    }

    RestEngine engine_{RestEngine::Keys::asked_for};
    const std::string acme_key_ = engine_.add_key(Role::admin, WorkspaceId{"acme"});
    const std::string cluster_key_ = engine_.add_key(Role::admin);
    std::string at_job_;
    std::string at_task_;
    std::string at_wait_;
    std::string job_;
    std::string task_;
    std::string execution_;
    std::string dead_letter_;
};

TEST_F(IsolationTest, AKeyOfAnotherWorkspaceFindsNothing) {
    const std::string key = engine_.add_key(Role::admin, WorkspaceId{"globex"});
    ask_everywhere(headers_of(key), [](const Case& each, const RestEngine::Answer& answer) {
        check(each, answer);
        if (each.expected == Expected::by_path) {
            EXPECT_EQ(answer.status, 404) << answer.text;
        }
    });
    expect_untouched();
}

TEST_F(IsolationTest, AKeyOfTheClusterFindsNothingInAnotherWorkspace) {
    const std::string key = engine_.add_key(Role::admin);
    ask_everywhere(headers_of(key, "globex"), check);
    expect_untouched();
}

TEST_F(IsolationTest, AKeyOfTheClusterFindsNothingOfItInTheDefaultWorkspace) {
    const std::string key = engine_.add_key(Role::operator_);
    const auto see = [](const Case& each, const RestEngine::Answer& answer) {
        if (answer.status != 403) check(each, answer);  // An operator has no business with keys.
    };
    // What names its workspace, or needs none, is for a key of the cluster to find.
    const auto is_asked = [](const Case& each) {
        switch (each.expected) {
            case Expected::by_id:
            case Expected::item_by_id:
            case Expected::of_all:
            case Expected::by_path: return false;
            case Expected::not_found:
            case Expected::item_not_found:
            case Expected::failed:
            case Expected::empty:
            case Expected::nothing_foreign: return each.target != "/v1/workspaces";
        }
        return true;
    };
    ask_everywhere(headers_of(key), see, is_asked);
    expect_untouched();
}

TEST_F(IsolationTest, AKeyOfAnotherWorkspaceCannotNameThisOne) {
    const std::string key = engine_.add_key(Role::admin, WorkspaceId{"globex"});
    const auto is_about_no_workspace = [](const std::string& target) {
        return !target.starts_with("/v1/") || target == "/v1/whoami";
    };
    ask_everywhere(
        headers_of(key, "acme"), [&](const Case& each, const RestEngine::Answer& answer) {
            if (is_about_no_workspace(each.target)) return;
            // What is wrong with a body may be said before: it is the caller's own.
            EXPECT_TRUE(answer.status == 403 || (answer.status == 400 && each.body == "{}"))
                << answer.status << " " << answer.text;
        });
    expect_untouched();
}

}  // namespace
}  // namespace millrace::rest
