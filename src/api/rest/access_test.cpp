// What each route asks of its caller, and who gets it.

#include <gtest/gtest.h>

#include <algorithm>

#include "api/admin/routes.hpp"
#include "core/access/policy.hpp"
#include "support/rest_engine.hpp"

namespace millrace::rest {
namespace {

struct Row {
    std::string route;
    Access access;

    friend bool operator==(const Row&, const Row&) = default;
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
    return out << row.route << " asks for " << static_cast<int>(row.access);
}

// The whole table, written down a second time: whoever adds a route decides here, too, who gets it.
const std::vector<Row> kRoutes{
    {"GET /", Access::open},
    {"GET /healthz", Access::open},
    {"GET /readyz", Access::open},
    {"GET /openapi.json", Access::open},
    {"GET /definition.schema.json", Access::open},
    {"POST /v1/definitions", Access::operate},
    {"GET /v1/definitions", Access::view},
    {"GET /v1/definitions/{id}", Access::view},
    {"GET /v1/definitions/{id}/versions", Access::view},
    {"GET /v1/definitions/{id}/versions/{version}", Access::view},
    {"POST /v1/workspaces/{ws}/definitions", Access::operate},
    {"GET /v1/workspaces/{ws}/definitions", Access::view},
    {"GET /v1/workspaces/{ws}/definitions/{id}", Access::view},
    {"GET /v1/workspaces/{ws}/definitions/{id}/versions", Access::view},
    {"GET /v1/workspaces/{ws}/definitions/{id}/versions/{version}", Access::view},
    {"POST /v1/instances", Access::operate},
    {"POST /v1/instances:batch", Access::operate},
    {"GET /v1/instances", Access::view},
    {"GET /v1/instances/{id}", Access::view},
    {"GET /v1/instances/{id}/history", Access::view},
    {"GET /v1/instances/{id}/events", Access::view},
    {"POST /v1/instances/{id}/cancel", Access::operate},
    {"POST /v1/instances:cancel", Access::operate},
    {"POST /v1/instances/{id}/retry", Access::operate},
    {"POST /v1/instances/{id}/suspend", Access::operate},
    {"POST /v1/instances/{id}/resume", Access::operate},
    {"PATCH /v1/instances/{id}/variables", Access::operate},
    {"POST /v1/instances/{id}/user-tasks/{stepId}/complete", Access::operate},
    {"POST /v1/instances/{id}/signals/{stepId}", Access::operate},
    {"GET /v1/user-tasks", Access::view},
    {"GET /v1/user-tasks/{id}", Access::view},
    {"POST /v1/user-tasks/{id}/claim", Access::operate},
    {"POST /v1/user-tasks/{id}/unclaim", Access::operate},
    {"POST /v1/user-tasks/{id}/assign", Access::operate},
    {"POST /v1/user-tasks/{id}/complete", Access::operate},
    {"GET /v1/jobs", Access::view},
    {"GET /v1/jobs/{id}", Access::view},
    {"POST /v1/jobs/poll", Access::work},
    {"POST /v1/jobs/complete", Access::work},
    {"POST /v1/jobs/fail", Access::work},
    {"POST /v1/jobs/release", Access::work},
    {"POST /v1/jobs/{id}/complete", Access::work},
    {"POST /v1/jobs/{id}/fail", Access::work},
    {"POST /v1/jobs/{id}/release", Access::work},
    {"POST /v1/jobs/{id}/extend", Access::work},
    {"POST /v1/workspaces", Access::administer},
    {"GET /v1/workspaces", Access::view},
    {"GET /v1/workspaces/{ws}", Access::view},
    {"PATCH /v1/workspaces/{ws}", Access::administer},
    {"DELETE /v1/workspaces/{ws}", Access::administer},
    {"GET /v1/workspaces/{ws}/queue", Access::view},
    {"POST /v1/workspaces/{ws}/queue/recover", Access::operate},
    {"POST /v1/workspaces/{ws}/executions", Access::operate},
    {"POST /v1/workspaces/{ws}/executions:batch", Access::operate},
    {"GET /v1/workspaces/{ws}/executions", Access::view},
    {"GET /v1/executions/{id}", Access::view},
    {"GET /v1/executions/{id}/explain", Access::view},
    {"GET /v1/instances/{id}/explain", Access::view},
    {"GET /v1/jobs/{id}/explain", Access::view},
    {"GET /v1/workspaces/{ws}/explain", Access::view},
    {"POST /v1/executions/{id}/cancel", Access::operate},
    {"POST /v1/executions/{id}/retry", Access::operate},
    {"POST /v1/executions/{id}/completion", Access::work},
    {"GET /v1/workspaces/{ws}/dead-letters", Access::view},
    {"GET /v1/workspaces/{ws}/dead-letters/groups", Access::view},
    {"POST /v1/workspaces/{ws}/dead-letters/redrive", Access::operate},
    {"POST /v1/workspaces/{ws}/dead-letters/dismiss", Access::operate},
    {"POST /v1/workspaces/{ws}/dead-letters/purge", Access::administer},
    {"GET /v1/dead-letters", Access::view},
    {"GET /v1/dead-letters/groups", Access::view},
    {"POST /v1/dead-letters/redrive", Access::operate},
    {"POST /v1/dead-letters/dismiss", Access::operate},
    {"POST /v1/dead-letters/purge", Access::administer},
    {"GET /v1/dead-letters/{id}", Access::view},
    {"POST /v1/dead-letters/{id}/redrive", Access::operate},
    {"POST /v1/dead-letters/{id}/dismiss", Access::operate},
    {"GET /v1/audit", Access::operate},
    {"GET /v1/instances/{id}/audit", Access::operate},
    {"GET /v1/keys", Access::administer},
    {"POST /v1/keys", Access::administer},
    {"DELETE /v1/keys/{id}", Access::administer},
    {"GET /v1/whoami", Access::known},
    {"POST /v1/backup", Access::administer},
};

std::vector<Row> table_of(const http::Router& router) {
    std::vector<Row> table;
    for (const http::Route& route : router.routes()) {
        table.push_back({route.method + " " + route.pattern, route.access});
    }
    return table;
}

// The pattern with something plausible for each of its parameters.
std::string target_of(std::string pattern) {
    while (true) {
        const std::size_t begin = pattern.find('{');
        if (begin == std::string::npos) return pattern;
        const std::size_t end = pattern.find('}', begin);
        const bool is_version = pattern.substr(begin, end + 1 - begin) == "{version}";
        pattern.replace(begin, end + 1 - begin, is_version ? "1" : "01ARZ3NDEKTSV4RRFFQ69G5FAV");
    }
}

TEST(AccessTest, IsDecidedForEveryRoute) {
    RestEngine engine;
    std::vector<Row> served = table_of(engine.router());
    std::vector<Row> expected = kRoutes;
    std::ranges::sort(served, {}, &Row::route);
    std::ranges::sort(expected, {}, &Row::route);
    EXPECT_EQ(served, expected);

    observe::Metrics metrics;
    http::Router admin_router(metrics);
    admin::add_routes(admin_router, metrics);
    EXPECT_EQ(table_of(admin_router), (std::vector<Row>{{"any metrics", Access::view}}));
}

TEST(AccessTest, IsGrantedToThoseWhoseRoleMay) {
    RestEngine engine(RestEngine::Keys::asked_for);
    for (const Role role : {Role::viewer, Role::worker, Role::operator_, Role::admin}) {
        const std::string key = engine.add_key(role);
        for (const http::Route& route : engine.router().routes()) {
            const auto answer =
                engine.ask(route.method, target_of(route.pattern), "{}", headers_of(key));
            if (may(role, route.access)) {
                EXPECT_NE(answer.status, 401) << route.method << " " << route.pattern;
                EXPECT_NE(answer.status, 403) << route.method << " " << route.pattern;
            } else {
                EXPECT_EQ(answer.status, 403)
                    << to_string(role) << " " << route.method << " " << route.pattern;
                EXPECT_EQ(answer["error"], "forbidden");
            }
        }
    }
}

TEST(AccessTest, IsRefusedToWhoeverSendsNoKey) {
    RestEngine engine(RestEngine::Keys::asked_for);
    for (const http::Route& route : engine.router().routes()) {
        const auto answer = engine.ask(route.method, target_of(route.pattern), "{}");
        if (route.access == Access::open) {
            EXPECT_EQ(answer.status, 200) << route.pattern;
        } else {
            EXPECT_EQ(answer.status, 401) << route.method << " " << route.pattern;
            EXPECT_EQ(answer["error"], "unauthorized");
        }
    }
    EXPECT_EQ(engine.get("/v1/nowhere").status, 404);
}

TEST(AccessTest, NeedsNoKeyWhereNoneIsAskedFor) {
    RestEngine engine;
    for (const http::Route& route : engine.router().routes()) {
        const auto answer = engine.ask(route.method, target_of(route.pattern), "{}");
        EXPECT_NE(answer.status, 401) << route.pattern;
        EXPECT_NE(answer.status, 403) << route.pattern;
    }
}

class KeysTest : public testing::Test {
protected:
    RestEngine::Answer ask(const std::string& key, std::string method, std::string_view target,
                           std::string body = {}, const std::string& workspace = {}) {
        return engine_.ask(std::move(method), target, std::move(body), headers_of(key, workspace));
    }
    RestEngine::Answer create(const std::string& key, std::string body) {
        return ask(key, "POST", "/v1/keys", std::move(body));
    }
    // The ids of a list, in its order.
    std::vector<std::string> listed(const std::string& key, const std::string& workspace = {}) {
        const auto answer = ask(key, "GET", "/v1/keys", {}, workspace);
        EXPECT_EQ(answer.status, 200) << answer.text;
        std::vector<std::string> ids;
        for (const json::Value& item : *answer.body.find("items")->if_array()) {
            ids.push_back(*item.find("id")->if_string());
        }
        return ids;
    }
    static std::string id_of(const std::string& key) { return key.substr(3, 12); }

    RestEngine engine_{RestEngine::Keys::asked_for};
    const std::string admin_ = engine_.add_key(Role::admin);
    const std::string acme_admin_ = engine_.add_key(Role::admin, WorkspaceId{"acme"});
};

TEST_F(KeysTest, AreCreatedShownOnceAndGoodAtOnce) {
    const auto created = create(
        admin_,
        R"({"name":"ci","role":"viewer","workspace":"acme","expiresAt":"2030-01-01T00:00:00Z"})");
    ASSERT_EQ(created.status, 201) << created.text;
    EXPECT_EQ(created["name"], "ci");
    EXPECT_EQ(created["role"], "viewer");
    EXPECT_EQ(created["workspace"], "acme");
    EXPECT_EQ(created["expiresAt"], "2030-01-01T00:00:00Z");
    EXPECT_FALSE(created["createdAt"].empty());
    const std::string key = created["key"];
    EXPECT_EQ(id_of(key), created["id"]);

    const auto me = ask(key, "GET", "/v1/whoami");
    EXPECT_EQ(me.text, R"({"authenticated":true,"keyId":")" + created["id"] +
                           R"(","name":"ci","role":"viewer","workspace":"acme"})"
                           "\n");
    const auto list = ask(admin_, "GET", "/v1/keys");
    EXPECT_EQ(list.text.find(key.substr(16)), std::string::npos);
    EXPECT_EQ(list.text.find("ash"), std::string::npos);
}

TEST_F(KeysTest, AreRevokedAtOnceAndForGood) {
    const std::string key = create(admin_, R"({"name":"ci","role":"admin"})")["key"];
    EXPECT_EQ(ask(key, "GET", "/v1/keys").status, 200);
    EXPECT_EQ(ask(key, "DELETE", "/v1/keys/" + id_of(key)).status, 204) << "its own";
    EXPECT_EQ(ask(admin_, "DELETE", "/v1/keys/" + id_of(key)).status, 204) << "again";
    EXPECT_NE(ask(admin_, "GET", "/v1/keys").text.find(R"("revokedAt":)"), std::string::npos);
    engine_.expect_log_lines();
    EXPECT_EQ(ask(key, "GET", "/v1/keys").status, 401);
}

// A poll that waits was let in when its key was good; the job goes to somebody whose key still is.
TEST_F(KeysTest, OfPollsThatWaitAreLookedAtAgainBeforeTheyGetJobs) {
    constexpr const char* kExpiring =
        R"({"name":"w","role":"worker","expiresAt":"2027-01-15T08:00:20Z"})";
    constexpr const char* kPoll =
        R"({"workerId":"w","jobTypes":["a"],"waitSeconds":60,"leaseSeconds":3600})";
    ASSERT_EQ(ask(admin_, "POST", "/v1/definitions",
                  R"({"id":"d","name":"D","steps":[{"id":"s","name":"S","type":"SERVICE_TASK",)"
                  R"("jobType":"a","nextStep":"e"},{"id":"e","name":"E","type":"END"}]})")
                  .status,
              201);
    engine_.expect_log_lines();
    for (const bool is_revoked : {true, false}) {
        const std::string key =
            create(admin_, is_revoked ? R"({"name":"w","role":"worker"})" : kExpiring)["key"];
        const auto waiting = engine_.send("POST", "/v1/jobs/poll", kPoll, headers_of(key));
        ASSERT_FALSE(waiting->answer());
        if (is_revoked) {
            EXPECT_EQ(ask(admin_, "DELETE", "/v1/keys/" + id_of(key)).status, 204);
        } else {
            engine_.pass(std::chrono::seconds(21));  // The job of the first round stays leased.
        }
        EXPECT_EQ(ask(admin_, "POST", "/v1/instances", R"({"definitionId":"d"})").status, 201);
        const auto refused = RestEngine::answer_of(*waiting);
        EXPECT_EQ(refused.status, 401) << refused.text;
        EXPECT_EQ(refused.text.find("stepId"), std::string::npos) << refused.text;

        const auto served = ask(admin_, "POST", "/v1/jobs/poll", kPoll);
        EXPECT_EQ(served.body.find("jobs")->if_array()->size(), 1u) << "It is offered again.";
    }
}

TEST_F(KeysTest, RefuseWhatMakesNoSense) {
    struct Case {
        const char* body;
        const char* field;
    };
    for (const Case& each : {
             Case{R"({"role":"admin"})", "name"},
             Case{R"({"name":"","role":"admin"})", "name"},
             Case{R"({"name":7,"role":"admin"})", "name"},
             Case{R"({"name":"a"})", "role"},
             Case{R"({"name":"a","role":"root"})", "role"},
             Case{R"({"name":"a","role":"admin","workspace":"No!"})", "workspace"},
             Case{R"({"name":"a","role":"admin","workspace":""})", "workspace"},
             Case{R"({"name":"a","role":"admin","expiresAt":""})", "expiresAt"},
             Case{R"({"name":"a","role":"admin","expiresAt":"soon"})", "expiresAt"},
             Case{R"({"name":"a","role":"admin","expiresAt":"2030-01-01"})", "expiresAt"},
             Case{R"({"name":"a","role":"admin","expiresAt":"2001-01-01T00:00:00Z"})", "expiresAt"},
         }) {
        const auto answer = create(admin_, each.body);
        EXPECT_EQ(answer.status, 400) << each.body;
        EXPECT_NE(answer.text.find("\"path\":\"" + std::string(each.field)), std::string::npos)
            << answer.text;
    }
    for (const char* id : {"000000000000", "nonsense!", "%FF", "a%00b"}) {
        EXPECT_EQ(ask(admin_, "DELETE", "/v1/keys/" + std::string(id)).status, 404) << id;
    }
}

TEST_F(KeysTest, OfAWorkspaceMakeKeysForItAlone) {
    EXPECT_EQ(create(acme_admin_, R"({"name":"a","role":"admin","workspace":"acme"})").status, 201);
    EXPECT_EQ(create(acme_admin_, R"({"name":"a","role":"viewer"})").status, 403);
    EXPECT_EQ(create(acme_admin_, R"({"name":"a","role":"viewer","workspace":"globex"})").status,
              403);
    EXPECT_EQ(create(admin_, R"({"name":"a","role":"viewer","workspace":"globex"})").status, 201);
}

TEST_F(KeysTest, AreNotedInTheWorkspaceThatTheyAreFor) {
    for (const char* body : {R"({"name":"a","role":"viewer","workspace":"acme"})",
                             R"({"name":"b","role":"viewer"})"}) {
        const std::string id = create(admin_, body)["id"];
        EXPECT_EQ(ask(admin_, "DELETE", "/v1/keys/" + id).status, 204);
        const bool is_of_acme = std::string_view(body).find("acme") != std::string_view::npos;
        for (const char* workspace : {"acme", "default"}) {
            const std::string audit =
                ask(admin_, "GET", "/v1/audit?kind=KEY_CREATED,KEY_REVOKED", {}, workspace).text;
            const std::string subject = R"("subject":")" + id + "\"";
            const std::size_t created = audit.find(subject);
            const bool is_there = created != std::string::npos &&
                                  audit.find(subject, created + 1) != std::string::npos;
            EXPECT_EQ(is_there, is_of_acme == (std::string_view(workspace) == "acme")) << audit;
        }
    }
}

TEST_F(KeysTest, OfAWorkspaceSeeAndRevokeOnlyThoseOfIt) {
    const std::string globex = engine_.add_key(Role::viewer, WorkspaceId{"globex"});
    EXPECT_EQ(listed(acme_admin_), std::vector{id_of(acme_admin_)});
    EXPECT_EQ(listed(admin_, "globex"), std::vector{id_of(globex)});
    EXPECT_EQ(listed(admin_).size(), 3u);
    for (const std::string& other : {admin_, globex}) {
        EXPECT_EQ(ask(acme_admin_, "DELETE", "/v1/keys/" + id_of(other)).status, 404);
        EXPECT_EQ(ask(other, "GET", "/v1/whoami").status, 200);
    }
    EXPECT_EQ(ask(acme_admin_, "GET", "/v1/keys", {}, "globex").status, 403);
}

TEST_F(KeysTest, AreListedPageByPage) {
    std::vector<std::string> ids = listed(admin_);
    const auto first = ask(admin_, "GET", "/v1/keys?pageSize=1");
    EXPECT_NE(first.text.find(ids[0]), std::string::npos);
    const auto second = ask(admin_, "GET", "/v1/keys?pageSize=1&cursor=" + first["nextCursor"]);
    EXPECT_NE(second.text.find(ids[1]), std::string::npos);
    EXPECT_EQ(second["nextCursor"], "");
    EXPECT_EQ(ask(admin_, "GET", "/v1/keys?cursor=!").status, 400);
}

TEST(WhoAmITest, SaysWhenNobodyIsAsked) {
    RestEngine engine;
    EXPECT_EQ(engine.get("/v1/whoami").text, "{\"authenticated\":false,\"role\":\"admin\"}\n");
}

}  // namespace
}  // namespace millrace::rest
