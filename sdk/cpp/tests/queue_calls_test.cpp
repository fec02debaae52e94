#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "base/json/parse.hpp"
#include "millrace/client/client.hpp"
#include "scripted_server.hpp"

namespace millrace::client {
namespace {

using namespace std::chrono_literals;

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

class QueueCall : public testing::TestWithParam<Row> {};

TEST_P(QueueCall, SendsWhatItsRouteExpects) {
    const ScriptedServer server([](const Received&) { return GetParam().answer; });
    Client client({.server = server.url()});
    EXPECT_TRUE(GetParam().call(client));
    const Received received = server.latest();
    EXPECT_EQ(received.method, GetParam().method);
    EXPECT_EQ(received.target, GetParam().target);
    EXPECT_EQ(received.body, GetParam().body);
}

const Row kRows[] = {
    {"ListWorkspaces",
     [](Client& c) {
         const auto page = c.list_workspaces({.page_size = 2});
         return page && page->items.size() == 1 && page->items[0].id() == "acme" &&
                page->items[0].is_paused() && page->items[0].limits().integer("maxActive") == 0;
     },
     "GET", "/v1/workspaces?page=0&pageSize=2", "",
     json_answer(200,
                 R"({"items":[{"id":"acme","paused":true,"limits":{"maxActive":0}}],"total":1})")},
    {"GetWorkspace",
     [](Client& c) {
         const auto workspace = c.get_workspace("acme");
         return workspace && workspace->plan() == "PRO" && workspace->weight() == 2;
     },
     "GET", "/v1/workspaces/acme", "", json_answer(200, R"({"plan":"PRO","weight":2})")},
    {"CreateWorkspace",
     [](Client& c) { return bool(c.create_workspace("acme", {.plan = "PRO", .max_active = 8})); },
     "POST", "/v1/workspaces", R"({"id":"acme","plan":"PRO","maxActive":8})",
     json_answer(201, "{}")},
    {"ChangeWorkspace",
     [](Client& c) {
         return bool(c.change_workspace(
             "acme", {.rate_per_second = 0.5, .paused = false, .unset = {"maxActive"}}));
     },
     "PATCH", "/v1/workspaces/acme", R"({"ratePerSecond":0.5,"paused":false,"maxActive":null})",
     json_answer(200, "{}")},
    {"DeleteWorkspace", [](Client& c) { return bool(c.delete_workspace("acme", true)); }, "DELETE",
     "/v1/workspaces/acme?force=true", "", no_content()},
    {"GetQueue",
     [](Client& c) {
         const auto queue = c.get_queue("acme");
         return queue && queue->active() == 5 && queue->places().integer("READY") == 12 &&
                queue->dead_letters() == 2 && !queue->counts_capped();
     },
     "GET", "/v1/workspaces/acme/queue", "",
     json_answer(200, R"({"active":5,"places":{"READY":12},"deadLetters":2})")},
    {"RecoverExecutions",
     [](Client& c) {
         const auto count = c.recover_executions("acme", 1500ms);
         return count && *count == 3;
     },
     "POST", "/v1/workspaces/acme/queue/recover", R"({"olderThanSeconds":1.5})",
     json_answer(200, R"({"recovered":3})")},
    {"Enqueue",
     [](Client& c) {
         const auto execution =
             c.enqueue("acme", {.definition_id = "d", .priority = 5, .concurrency_key = "k"});
         return execution && execution->id() == "X" && !execution->is_over();
     },
     "POST", "/v1/workspaces/acme/executions",
     R"({"definitionId":"d","input":{},"priority":5,"concurrencyKey":"k"})",
     json_answer(202, R"({"id":"X","queueStatus":"PENDING"})")},
    {"EnqueueAll",
     [](Client& c) {
         const auto items = json::parse(R"([{"definitionId":"d","idempotencyKey":"k"},7])");
         const auto results = c.enqueue_all("acme", *items->if_array());
         return results && results->size() == 2 && (*results)[0]->id() == "X" && !(*results)[1] &&
                (*results)[1].error().code == "bad-request";
     },
     "POST", "/v1/workspaces/acme/executions:batch",
     R"({"executions":[{"definitionId":"d","idempotencyKey":"k"},7]})",
     json_answer(200, R"({"results":[{"status":202,"execution":{"id":"X"}},
         {"status":400,"error":{"error":"bad-request"}}]})")},
    {"ListExecutions",
     [](Client& c) {
         const auto page =
             c.list_executions("acme", {.filter = {.statuses = {"FAILED"}, .reason = "R"}});
         return page && page->total == 4;
     },
     "GET", "/v1/workspaces/acme/executions?status=FAILED&reason=R&page=0&pageSize=20", "",
     json_answer(200, R"({"items":[],"total":4})")},
    {"GetExecution",
     [](Client& c) {
         const auto execution = c.get_execution("X");
         return execution && execution->is_over() && execution->error().text("reason") == "R";
     },
     "GET", "/v1/executions/X", "",
     json_answer(200, R"({"queueStatus":"FAILED","error":{"reason":"R"}})")},
    {"CancelExecution", [](Client& c) { return bool(c.cancel_execution({.id = "X"})); }, "POST",
     "/v1/executions/X/cancel", "{}", json_answer(200, "{}")},
    {"RetryExecution",
     [](Client& c) { return bool(c.retry_execution({.id = "X", .resume = true})); }, "POST",
     "/v1/executions/X/retry", R"({"resume":true})", json_answer(202, "{}")},
    {"CompleteExecution",
     [](Client& c) {
         return bool(c.complete_execution({.id = "X", .status = "FAILED", .message = "m"}));
     },
     "POST", "/v1/executions/X/completion", R"({"status":"FAILED","error":{"message":"m"}})",
     json_answer(200, "{}")},
    {"ListDeadLetters",
     [](Client& c) { return bool(c.list_dead_letters({.filter = {.definition_id = "d"}})); }, "GET",
     "/v1/dead-letters?definitionId=d&page=0&pageSize=20", "", json_answer(200, "{}")},
    {"ListDeadLetterGroups",
     [](Client& c) {
         const auto groups = c.list_dead_letter_groups(7);
         return groups && groups->size() == 1 && (*groups)[0].count() == 12;
     },
     "GET", "/v1/dead-letters/groups?pageSize=7", "",
     json_answer(200, R"({"items":[{"count":12}]})")},
    {"GetDeadLetter", [](Client& c) { return bool(c.get_dead_letter("X")); }, "GET",
     "/v1/dead-letters/X", "", json_answer(200, "{}")},
    {"RedriveDeadLetter", [](Client& c) { return bool(c.redrive_dead_letter("X")); }, "POST",
     "/v1/dead-letters/X/redrive", "{}", json_answer(202, "{}")},
    {"DismissDeadLetter", [](Client& c) { return bool(c.dismiss_dead_letter("X")); }, "POST",
     "/v1/dead-letters/X/dismiss", "{}", json_answer(200, "{}")},
    {"RedriveDeadLetters",
     [](Client& c) {
         const auto report = c.redrive_dead_letters(
             {.selection = {.reason = "R"}, .trial = 2, .rate_per_second = 0.5});
         return report && report->redriven() == 1 && report->executions().size() == 1 &&
                report->failed().size() == 1 && report->remaining() == 40;
     },
     "POST", "/v1/dead-letters/redrive",
     R"({"filter":{"reason":"R"},"trial":2,"ratePerSecond":0.5})",
     json_answer(
         200, R"({"redriven":1,"executions":[{"id":"X"}],"failed":[{"id":"Y"}],"remaining":40})")},
    {"DismissDeadLetters",
     [](Client& c) {
         const auto report = c.dismiss_dead_letters({.all = true, .limit = 5});
         return report && report->dismissed() == 2;
     },
     "POST", "/v1/dead-letters/dismiss", R"({"filter":{},"limit":5})",
     json_answer(200, R"({"dismissed":2})")},
    {"PurgeDeadLetters",
     [](Client& c) {
         const auto report = c.purge_dead_letters({.ids = {"X"}});
         return report && report->purged() == 1;
     },
     "POST", "/v1/dead-letters/purge", R"({"ids":["X"]})", json_answer(200, R"({"purged":1})")},
};

INSTANTIATE_TEST_SUITE_P(Queue, QueueCall, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

// Whatever is enqueued or retried can be sent again after a broken connection.
TEST(QueueCalls, CarryAKeyThatMakesThemSafeToRepeat) {
    const ScriptedServer server([](const Received&) { return json_answer(202, "{}"); });
    Client client({.server = server.url()});
    ASSERT_TRUE(client.enqueue("acme", {.definition_id = "d", .idempotency_key = "own"}));
    EXPECT_EQ(server.latest().header("idempotency-key"), "own");
    ASSERT_TRUE(client.retry_execution({.id = "X"}));
    EXPECT_NE(server.latest().header("idempotency-key"), "");
    ASSERT_TRUE(client.enqueue_all("acme", {json::Value(json::Object{})}));
    EXPECT_NE(server.latest().body.find("idempotencyKey"), std::string::npos);
}

TEST(QueueCalls, NoIdsAreNotAll) {
    const ScriptedServer server([](const Received&) { return json_answer(400, "{}"); });
    Client client({.server = server.url()});
    EXPECT_FALSE(client.purge_dead_letters({}));
    EXPECT_EQ(server.latest().body, R"({"ids":[]})");
}

}  // namespace
}  // namespace millrace::client
