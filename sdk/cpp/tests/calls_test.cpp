#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "base/json/parse.hpp"
#include "millrace/client/client.hpp"
#include "scripted_server.hpp"

namespace millrace::client {
namespace {

using namespace std::chrono_literals;

json::Value parsed(const char* text) {
    return *json::parse(text);
}

struct Row {
    const char* name;
    std::function<bool(Client&)> call;
    const char* method;
    const char* target;
    const char* body;
    Answer answer;
};

void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}

const JobClaim kClaim{.job_id = "j1", .worker_id = "w", .lease_token = 7};

class Call : public testing::TestWithParam<Row> {};

TEST_P(Call, SendsWhatItsRouteExpects) {
    const ScriptedServer server([](const Received&) { return GetParam().answer; });
    Client client({.server = server.url() + "/prefix"});
    EXPECT_TRUE(GetParam().call(client));
    const Received received = server.latest();
    EXPECT_EQ(received.method, GetParam().method);
    EXPECT_EQ(received.target, std::string("/prefix") + GetParam().target);
    if (*GetParam().body == '\0') {
        EXPECT_EQ(received.body, "");
    } else {
        const auto body = json::parse(received.body);
        ASSERT_TRUE(body) << received.body;
        EXPECT_EQ(*body, parsed(GetParam().body)) << received.body;
    }
}

TEST(Calls, AHistoryIsReadToItsEnd) {
    const ScriptedServer server([](const Received& received) {
        const bool is_first = received.target.find("cursor=next") == std::string::npos;
        return json_answer(200, is_first ? R"({"items":[{"stepId":"a"}],"nextCursor":"next"})"
                                         : R"({"items":[{"stepId":"b"}]})");
    });
    Client client({.server = server.url()});
    const auto history = client.get_history("i");
    ASSERT_TRUE(history);
    ASSERT_EQ(history->size(), 2u);
    EXPECT_EQ((*history)[0].step_id(), "a");
    EXPECT_EQ((*history)[1].step_id(), "b");
}

const Row kRows[] = {
    {"Healthz", [](Client& c) { return bool(c.healthz()); }, "GET", "/healthz", "",
     Answer{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}},
    {"Readyz", [](Client& c) { return bool(c.readyz()); }, "GET", "/readyz", "",
     json_answer(200, R"({"ready":true})")},
    {"UploadDefinition",
     [](Client& c) {
         const auto reply = c.upload_definition(parsed(R"({"id":"d","steps":[]})"));
         return reply && reply->id() == "d" && reply->version() == 3 && reply->name() == "D" &&
                reply->uploaded_at() == "t";
     },
     "POST", "/v1/definitions", R"({"id":"d","steps":[]})",
     json_answer(201, R"({"id":"d","version":3,"name":"D","uploadedAt":"t"})")},
    {"ListDefinitions",
     [](Client& c) {
         const auto page =
             c.list_definitions({.keyword = "a b&", .paging = {.page = 2, .page_size = 5}});
         return page && page->total == 11 && page->items.size() == 1 &&
                page->items[0].id() == "d" && page->next_cursor == "n" && page->total_capped;
     },
     "GET", "/v1/definitions?keyword=a%20b%26&page=2&pageSize=5", "",
     json_answer(200, R"({"items":[{"id":"d"}],"total":11,"totalCapped":true,"nextCursor":"n"})")},
    {"GetLatestDefinition",
     [](Client& c) {
         const auto definition = c.get_definition("a:b");
         return definition && *definition == parsed(R"({"id":"a:b","steps":[]})");
     },
     "GET", "/v1/definitions/a%3Ab", "", json_answer(200, R"({"id":"a:b","steps":[]})")},
    {"GetDefinitionVersion", [](Client& c) { return bool(c.get_definition("d", 4)); }, "GET",
     "/v1/definitions/d/versions/4", "", json_answer(200, "{}")},
    {"StartInstance",
     [](Client& c) {
         const auto instance = c.start_instance({.definition_id = "d",
                                                 .definition_version = 2,
                                                 .variables = parsed(R"({"x":1})"),
                                                 .business_key = "k"});
         return instance && instance->id() == "i" && instance->status() == "WAITING" &&
                instance->current_step_ids() == std::vector<std::string>{"a", "b"};
     },
     "POST", "/v1/instances",
     R"({"definitionId":"d","definitionVersion":2,"variables":{"x":1},"businessKey":"k"})",
     json_answer(201, R"({"id":"i","status":"WAITING","currentStepIds":["a","b"]})")},
    {"StartInstances",
     [](Client& c) {
         const auto results = c.start_instances({{.definition_id = "d", .idempotency_key = "k1"},
                                                 {.definition_id = "e", .idempotency_key = "k2"}});
         return results && results->size() == 2 && (*results)[0] && (*results)[0]->id() == "i" &&
                !(*results)[1] && (*results)[1].error().code == "not-found" &&
                (*results)[1].error().status == 404;
     },
     "POST", "/v1/instances:batch",
     R"({"instances":[{"definitionId":"d","variables":{},"idempotencyKey":"k1"},
                      {"definitionId":"e","variables":{},"idempotencyKey":"k2"}]})",
     json_answer(200, R"({"results":[{"status":201,"instance":{"id":"i"}},
                          {"status":404,"error":{"error":"not-found","message":"m"}}]})")},
    {"GetInstance", [](Client& c) { return bool(c.get_instance("i/1")); }, "GET",
     "/v1/instances/i%2F1", "", json_answer(200, "{}")},
    {"ListInstances",
     [](Client& c) {
         const auto page = c.list_instances(
             {.filter = {.definition_id = "d", .statuses = {"ACTIVE"}, .business_key = "k k"},
              .paging = {.page_size = 1}});
         return page && page->total == 0 && page->items.empty();
     },
     "GET", "/v1/instances?definitionId=d&status=ACTIVE&businessKey=k%20k&page=0&pageSize=1", "",
     json_answer(200, R"({"items":null,"total":0})")},
    {"GetHistory",
     [](Client& c) {
         const auto history = c.get_history("i");
         return history && history->size() == 1 && (*history)[0].step_id() == "s" &&
                (*history)[0].attempt_number() == 2 && (*history)[0].ended_at().empty();
     },
     "GET", "/v1/instances/i/history", "",
     json_answer(200, R"({"items":[{"stepId":"s","attemptNumber":2,"endedAt":null}]})")},
    {"CancelInstance",
     [](Client& c) {
         const auto instance = c.cancel_instance("i", "why");
         return instance && instance->status() == "CANCELLED";
     },
     "POST", "/v1/instances/i/cancel", R"({"reason":"why"})",
     json_answer(200, R"({"status":"CANCELLED"})")},
    {"ListInstancesByEverything",
     [](Client& c) {
         return bool(c.list_instances({.filter = {.definition_id = "d",
                                                  .definition_version = 3,
                                                  .statuses = {"ACTIVE", "FAILED"},
                                                  .business_key = "k",
                                                  .started_after = "a",
                                                  .started_before = "b",
                                                  .suspended = false,
                                                  .text = "t"},
                                       .paging = {.page_size = 7, .cursor = "c="}}));
     },
     "GET",
     "/v1/instances?definitionId=d&definitionVersion=3&status=ACTIVE%2CFAILED&businessKey=k"
     "&startedAfter=a&startedBefore=b&suspended=false&text=t&cursor=c%3D&pageSize=7",
     "", json_answer(200, R"({"items":[]})")},
    {"CancelInstances",
     [](Client& c) {
         const auto report = c.cancel_instances({.filter = {.definition_id = "d",
                                                            .definition_version = 3,
                                                            .statuses = {"ACTIVE"},
                                                            .suspended = true},
                                                 .reason = "r",
                                                 .dry_run = true,
                                                 .limit = 5});
         return report && report->matched() == 3 && report->cancelled() == 2 &&
                report->failed().size() == 1 && report->failed()[0].text("id") == "i" &&
                report->has_more();
     },
     "POST", "/v1/instances:cancel",
     R"({"filter":{"definitionId":"d","definitionVersion":3,"status":["ACTIVE"],"suspended":true},
         "reason":"r","dryRun":true,"limit":5})",
     json_answer(200, R"({"matched":3,"cancelled":2,"failed":[{"id":"i"}],"more":true})")},
    {"RetryInstance", [](Client& c) { return bool(c.retry_instance("i")); }, "POST",
     "/v1/instances/i/retry", "{}", json_answer(200, "{}")},
    {"SuspendInstance",
     [](Client& c) {
         const auto instance = c.suspend_instance("i", "why");
         return instance && instance->is_suspended() && instance->variables_version() == 4 &&
                !instance->is_over();
     },
     "POST", "/v1/instances/i/suspend", R"({"reason":"why"})",
     json_answer(200, R"({"status":"ACTIVE","suspended":true,"variablesVersion":4})")},
    {"ResumeInstance",
     [](Client& c) {
         const auto instance = c.resume_instance("i");
         return instance && !instance->is_suspended();
     },
     "POST", "/v1/instances/i/resume", "{}", json_answer(200, "{}")},
    {"SetVariables",
     [](Client& c) {
         return bool(c.set_variables({.instance_id = "i",
                                      .variables = parsed(R"({"x":1})"),
                                      .remove = {"y"},
                                      .expected_version = 2}));
     },
     "PATCH", "/v1/instances/i/variables",
     R"({"variables":{"x":1},"remove":["y"],"expectedVersion":2})", json_answer(200, "{}")},
    {"RemoveVariables",
     [](Client& c) { return bool(c.set_variables({.instance_id = "i", .remove = {"y"}})); },
     "PATCH", "/v1/instances/i/variables", R"({"remove":["y"]})", json_answer(200, "{}")},
    {"Signal",
     [](Client& c) {
         return bool(c.signal(
             {.instance_id = "i", .step_id = "wait 1", .variables = parsed(R"({"x":1})")}));
     },
     "POST", "/v1/instances/i/signals/wait%201", R"({"x":1})", no_content()},
    {"ListDefinitionVersions",
     [](Client& c) {
         const auto page = c.list_definition_versions("d");
         return page && page->items.size() == 2 && page->items[0].version() == 2;
     },
     "GET", "/v1/definitions/d/versions?page=0&pageSize=20", "",
     json_answer(200, R"({"items":[{"version":2},{"version":1}]})")},
    {"Whoami",
     [](Client& c) {
         const auto identity = c.whoami();
         return identity && identity->is_authenticated() && identity->key_id() == "k" &&
                identity->name() == "ci" && identity->role() == "admin" &&
                identity->workspace() == "w";
     },
     "GET", "/v1/whoami", "",
     json_answer(200, R"({"authenticated":true,"keyId":"k","name":"ci","role":"admin",
                          "workspace":"w"})")},
    {"ListUserTasks",
     [](Client& c) {
         const auto page = c.list_user_tasks({.status = "ALL",
                                              .instance_id = "i",
                                              .definition_id = "d",
                                              .step_id = "s",
                                              .assignee = "ada",
                                              .group = "clerks",
                                              .unassigned = true});
         return page && page->items.size() == 1 && page->items[0].assignee() == "ada" &&
                page->items[0].candidate_groups() == std::vector<std::string>{"clerks"};
     },
     "GET",
     "/v1/user-tasks?status=ALL&instanceId=i&definitionId=d&stepId=s&assignee=ada&group=clerks"
     "&unassigned=true&page=0&pageSize=20",
     "", json_answer(200, R"({"items":[{"assignee":"ada","candidateGroups":["clerks"]}]})")},
    {"GetUserTask",
     [](Client& c) {
         const auto task = c.get_user_task("t");
         return task && task->form() == parsed(R"({"f":1})") &&
                task->variables() == parsed(R"({"x":1})");
     },
     "GET", "/v1/user-tasks/t", "", json_answer(200, R"({"form":{"f":1},"variables":{"x":1}})")},
    {"ClaimUserTask", [](Client& c) { return bool(c.claim_user_task("t", "ada")); }, "POST",
     "/v1/user-tasks/t/claim", R"({"userId":"ada"})", json_answer(200, "{}")},
    {"UnclaimUserTask", [](Client& c) { return bool(c.unclaim_user_task("t")); }, "POST",
     "/v1/user-tasks/t/unclaim", "{}", json_answer(200, "{}")},
    {"AssignUserTask", [](Client& c) { return bool(c.assign_user_task("t", "bob")); }, "POST",
     "/v1/user-tasks/t/assign", R"({"assignee":"bob"})", json_answer(200, "{}")},
    {"CompleteUserTaskById",
     [](Client& c) {
         return bool(c.complete_user_task(
             {.task_id = "t", .user_id = "ada", .variables = parsed(R"({"ok":true})")}));
     },
     "POST", "/v1/user-tasks/t/complete", R"({"userId":"ada","variables":{"ok":true}})",
     no_content()},
    {"ListJobs",
     [](Client& c) {
         const auto page = c.list_jobs(
             {.instance_id = "i", .job_type = "t", .status = "LOCKED", .worker_id = "w"});
         return page && page->items.size() == 1 && page->items[0].attempt() == 2 &&
                page->items[0].status() == "LOCKED";
     },
     "GET", "/v1/jobs?instanceId=i&jobType=t&status=LOCKED&workerId=w&page=0&pageSize=20", "",
     json_answer(200, R"({"items":[{"status":"LOCKED","attempt":2}]})")},
    {"GetJob", [](Client& c) { return bool(c.get_job("j")); }, "GET", "/v1/jobs/j", "",
     json_answer(200, "{}")},
    {"ListAudit",
     [](Client& c) {
         const auto page = c.list_audit({.kinds = {"KEY_CREATED", "KEY_REVOKED"},
                                         .key_id = "k",
                                         .instance_id = "i",
                                         .since = "a",
                                         .until = "b",
                                         .paging = {.page_size = 9, .cursor = "c"}});
         return page && page->items.size() == 1 && page->items[0].kind() == "KEY_CREATED" &&
                page->items[0].actor().text("name") == "ci" && page->next_cursor == "n";
     },
     "GET",
     "/v1/audit?kind=KEY_CREATED%2CKEY_REVOKED&keyId=k&instanceId=i&since=a&until=b&cursor=c"
     "&pageSize=9",
     "", json_answer(200, R"({"items":[{"kind":"KEY_CREATED","actor":{"name":"ci"}}],
                          "nextCursor":"n"})")},
    {"GetInstanceAudit",
     [](Client& c) {
         const auto entries = c.get_instance_audit("i");
         return entries && entries->size() == 1 && (*entries)[0].kind() == "JOB_FAILED";
     },
     "GET", "/v1/instances/i/audit", "", json_answer(200, R"({"items":[{"kind":"JOB_FAILED"}]})")},
    {"ListKeys",
     [](Client& c) {
         const auto page = c.list_keys();
         return page && page->items.size() == 1 && page->items[0].revoked_at() == "t";
     },
     "GET", "/v1/keys?page=0&pageSize=20", "",
     json_answer(200, R"({"items":[{"id":"k","revokedAt":"t"}]})")},
    {"CreateKey",
     [](Client& c) {
         const auto key =
             c.create_key({.name = "ci", .role = "worker", .workspace = "w", .expires_at = "t"});
         return key && key->key() == "mr_k_s";
     },
     "POST", "/v1/keys", R"({"name":"ci","role":"worker","workspace":"w","expiresAt":"t"})",
     json_answer(201, R"({"id":"k","key":"mr_k_s"})")},
    {"RevokeKey", [](Client& c) { return bool(c.revoke_key("k")); }, "DELETE", "/v1/keys/k", "",
     no_content()},
    {"CompleteUserTask",
     [](Client& c) {
         return bool(c.complete_user_task({.instance_id = "i",
                                           .step_id = "review",
                                           .user_id = "ann",
                                           .variables = parsed(R"({"ok":true})")}));
     },
     "POST", "/v1/instances/i/user-tasks/review/complete",
     R"({"workerId":"ann","variables":{"ok":true}})", no_content()},
    {"PollJobs",
     [](Client& c) {
         const auto jobs = c.poll_jobs({.worker_id = "w",
                                        .job_types = {"a", "b"},
                                        .jobs_max = 5,
                                        .lease_duration = 60s,
                                        .wait_duration = 20s});
         return jobs && jobs->size() == 1 && (*jobs)[0].id() == "j" &&
                (*jobs)[0].lease_token() == 9 &&
                (*jobs)[0].variables() == parsed(R"({"big":9007199254740993})");
     },
     "POST", "/v1/jobs/poll",
     R"({"workerId":"w","jobTypes":["a","b"],"maxJobs":5,"leaseSeconds":60,"waitSeconds":20})",
     json_answer(200,
                 R"({"jobs":[{"id":"j","leaseToken":9,"variables":{"big":9007199254740993}}]})")},
    {"CompleteJob",
     [](Client& c) {
         return bool(c.complete_job({.claim = kClaim, .variables = parsed(R"({"x":1})")}));
     },
     "POST", "/v1/jobs/j1/complete", R"({"workerId":"w","leaseToken":7,"variables":{"x":1}})",
     no_content()},
    {"CompleteJobWithoutProof",
     [](Client& c) { return bool(c.complete_job({.claim = {.job_id = "j1"}})); }, "POST",
     "/v1/jobs/j1/complete", R"({"variables":{}})", no_content()},
    {"FailJob",
     [](Client& c) {
         return bool(c.fail_job({.claim = kClaim, .error_message = "m", .retryable = false}));
     },
     "POST", "/v1/jobs/j1/fail",
     R"({"workerId":"w","leaseToken":7,"errorMessage":"m","retryable":false})", no_content()},
    {"FailJobForLater",
     [](Client& c) {
         return bool(c.fail_job({.claim = kClaim, .error_message = "m", .retry_after = 60s}));
     },
     "POST", "/v1/jobs/j1/fail",
     R"({"workerId":"w","leaseToken":7,"errorMessage":"m","retryable":true,"retryAfterSeconds":60})",
     no_content()},
    {"ReleaseJob", [](Client& c) { return bool(c.release_job({.claim = kClaim})); }, "POST",
     "/v1/jobs/j1/release", R"({"workerId":"w","leaseToken":7})", no_content()},
    {"ReleaseJobForLater",
     [](Client& c) {
         return bool(c.release_job({.claim = kClaim, .delay = 5s, .reason = "full"}));
     },
     "POST", "/v1/jobs/j1/release",
     R"({"workerId":"w","leaseToken":7,"delaySeconds":5,"reason":"full"})", no_content()},
    {"ReleaseJobs",
     [](Client& c) {
         const auto results = c.release_jobs({{.claim = kClaim}});
         return results && results->size() == 1 && (*results)[0];
     },
     "POST", "/v1/jobs/release", R"({"jobs":[{"workerId":"w","leaseToken":7,"jobId":"j1"}]})",
     json_answer(200, R"({"results":[{"jobId":"j1","status":204}]})")},
    {"ExtendJob", [](Client& c) { return bool(c.extend_job(kClaim, 45s)); }, "POST",
     "/v1/jobs/j1/extend", R"({"workerId":"w","leaseToken":7,"leaseSeconds":45})",
     json_answer(200, R"({"lockExpiresAt":"t"})")},
    {"CompleteJobs",
     [](Client& c) {
         const auto results = c.complete_jobs({{.claim = kClaim}, {.claim = {.job_id = "j2"}}});
         return results && results->size() == 2 && (*results)[0] && !(*results)[1] &&
                (*results)[1].error().status == 409;
     },
     "POST", "/v1/jobs/complete",
     R"({"jobs":[{"workerId":"w","leaseToken":7,"variables":{},"jobId":"j1"},
                 {"variables":{},"jobId":"j2"}]})",
     json_answer(200, R"({"results":[{"jobId":"j1","status":204},
                          {"jobId":"j2","status":409,"error":{"error":"conflict"}}]})")},
    {"FailJobs",
     [](Client& c) {
         const auto results = c.fail_jobs({{.claim = kClaim, .error_message = "m"}});
         return results && results->size() == 1 && (*results)[0];
     },
     "POST", "/v1/jobs/fail",
     R"({"jobs":[{"workerId":"w","leaseToken":7,"errorMessage":"m","retryable":true,
                  "jobId":"j1"}]})",
     json_answer(200, R"({"results":[{"jobId":"j1","status":204}]})")},
};

INSTANTIATE_TEST_SUITE_P(, Call, testing::ValuesIn(kRows),
                         [](const auto& row) { return row.param.name; });

Received received_after(const ClientOptions& options, const std::function<void(Client&)>& call) {
    const ScriptedServer server([](const Received&) { return json_answer(201, "{}"); });
    ClientOptions with_server = options;
    with_server.server = server.url();
    Client client(with_server);
    call(client);
    return server.latest();
}

TEST(Headers, CarryKeyAndWorkspace) {
    const auto call = [](Client& client) {
        EXPECT_TRUE(client.get_instance("i"));
    };
    const Received with = received_after({.api_key = "mr_k_s", .workspace = "acme"}, call);
    EXPECT_EQ(with.header("authorization"), "Bearer mr_k_s");
    EXPECT_EQ(with.header("millrace-workspace"), "acme");
    const Received without = received_after({}, call);
    EXPECT_EQ(without.header("authorization"), "");
    EXPECT_EQ(without.header("millrace-workspace"), "");
}

TEST(Headers, CannotBeBrokenByWhatTheyCarry) {
    for (const ClientOptions& options :
         {ClientOptions{.api_key = "k\r\nX: y"}, ClientOptions{.workspace = "w\n"}}) {
        const Received received = received_after(options, [](Client& client) {
            const auto instance = client.get_instance("i");
            ASSERT_FALSE(instance);
            EXPECT_EQ(instance.error().code, "invalid-option");
            EXPECT_FALSE(is_transient(instance.error()));
        });
        EXPECT_EQ(received.target, "");
    }
    const Received received = received_after({}, [](Client& client) {
        EXPECT_FALSE(client.start_instance({.idempotency_key = "a\nb"}));
    });
    EXPECT_EQ(received.target, "");
}

TEST(IdempotencyKey, IsTheCallersOrAFreshOne) {
    const auto key_after = [](const std::function<void(Client&)>& call) {
        return received_after({}, call).header("idempotency-key");
    };
    EXPECT_EQ(key_after([](Client& c) { (void)c.start_instance({.idempotency_key = "mine"}); }),
              "mine");
    const std::string first = key_after([](Client& c) { (void)c.start_instance({}); });
    const std::string second = key_after([](Client& c) { (void)c.start_instance({}); });
    EXPECT_EQ(first.size(), 32u);
    EXPECT_NE(first, second);
    EXPECT_NE(key_after([](Client& c) { (void)c.signal({.instance_id = "i"}); }), "");
    EXPECT_NE(key_after([](Client& c) { (void)c.complete_user_task({.task_id = "t"}); }), "");
    EXPECT_EQ(key_after([](Client& c) { (void)c.cancel_instance("i"); }), "");
}

Error error_for(const Answer& answer) {
    const ScriptedServer server([&](const Received&) { return answer; });
    Client client({.server = server.url()});
    const Result<Instance> instance = client.get_instance("i");
    return instance ? Error{} : instance.error();
}

TEST(Refusal, CarriesAllThatTheServerSaid) {
    const Error error = error_for(json_answer(400, R"({"error":"bad-request","reason":"r",
        "message":"m","requestId":"q","details":[{"path":"steps[0].type","message":"unknown"}]})"));
    const Error expected{.status = 400,
                         .code = "bad-request",
                         .message = "m",
                         .request_id = "q",
                         .details = {{"steps[0].type", "unknown"}}};
    EXPECT_EQ(error, expected);
    EXPECT_FALSE(is_transient(error));
}

TEST(Refusal, ReasonStandsInForAMissingMessage) {
    EXPECT_EQ(error_for(json_answer(409, R"({"error":"conflict","reason":"r"})")).message, "r");
}

TEST(Refusal, ForeignTextBecomesTheMessage) {
    const Error error = error_for(json_answer(502, "<html>Bad gateway</html>"));
    EXPECT_EQ(error.code, "http-502");
    EXPECT_EQ(error.message, "<html>Bad gateway</html>");
    EXPECT_TRUE(is_transient(error));
}

TEST(Refusal, SuccessThatIsNoJsonIsABadReply) {
    EXPECT_EQ(error_for(json_answer(200, "hello")).code, "bad-reply");
}

}  // namespace
}  // namespace millrace::client
