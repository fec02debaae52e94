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
         const auto page = c.list_definitions({.keyword = "a b&", .page = 2, .page_size = 5});
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
         const auto results = c.start_instances({{.definition_id = "d"}, {.definition_id = "e"}});
         return results && results->size() == 2 && (*results)[0] && (*results)[0]->id() == "i" &&
                !(*results)[1] && (*results)[1].error().code == "not-found" &&
                (*results)[1].error().status == 404;
     },
     "POST", "/v1/instances:batch",
     R"({"instances":[{"definitionId":"d","variables":{}},{"definitionId":"e","variables":{}}]})",
     json_answer(200, R"({"results":[{"status":201,"instance":{"id":"i"}},
                          {"status":404,"error":{"error":"not-found","message":"m"}}]})")},
    {"GetInstance", [](Client& c) { return bool(c.get_instance("i/1")); }, "GET",
     "/v1/instances/i%2F1", "", json_answer(200, "{}")},
    {"ListInstances",
     [](Client& c) {
         const auto page = c.list_instances(
             {.definition_id = "d", .status = "ACTIVE", .business_key = "k k", .page_size = 1});
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
    {"Signal", [](Client& c) { return bool(c.signal("i", "wait 1", parsed(R"({"x":1})"))); },
     "POST", "/v1/instances/i/signals/wait%201", R"({"x":1})", no_content()},
    {"CompleteUserTask",
     [](Client& c) {
         return bool(c.complete_user_task({.instance_id = "i",
                                           .step_id = "review",
                                           .worker_id = "ann",
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
