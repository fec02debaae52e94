#include <gtest/gtest.h>

#include "base/json/parse.hpp"
#include "cli/exit_code.hpp"
#include "support/scripted_commands.hpp"

namespace millrace::cli {
namespace {

using client::Answer;
using client::json_answer;
using client::no_content;
using client::Received;

using Arguments = std::vector<std::string>;

// The commands of the execution queue: what they send, and what they print.
class RunQueue : public ScriptedCommands {
protected:
    // In the workspace acme.
    int run_there(Arguments arguments) {
        arguments.insert(arguments.end(), {"--workspace", "acme"});
        return run(std::move(arguments));
    }
};

struct Row {
    Arguments arguments;
    const char* method;
    const char* target;
    const char* body;
};

TEST_F(RunQueue, CommandsSendWhatTheirRoutesExpect) {
    const std::vector<Row> rows{
        {{"workspaces", "list", "--limit", "7"}, "GET", "/v1/workspaces?page=0&pageSize=7", ""},
        {{"workspaces", "get", "w"}, "GET", "/v1/workspaces/w", ""},
        {{"workspaces", "create", "w", "--name", "W", "--plan", "PRO", "--max-active", "0",
          "--max-per-key", "2", "--rate", "2.5", "--max-attempts", "4", "--weight", "3",
          "--paused"},
         "POST",
         "/v1/workspaces",
         R"({"id":"w","name":"W","plan":"PRO","maxActive":0,"maxPerKey":2,"ratePerSecond":2.5,
             "maxAttempts":4,"weight":3,"paused":true})"},
        {{"workspaces", "update", "w", "--resume", "--unset", "max-active,rate"},
         "PATCH",
         "/v1/workspaces/w",
         R"({"paused":false,"maxActive":null,"ratePerSecond":null})"},
        {{"workspaces", "update", "w", "--pause"},
         "PATCH",
         "/v1/workspaces/w",
         R"({"paused":true})"},
        {{"workspaces", "delete", "w", "--yes"}, "DELETE", "/v1/workspaces/w", ""},
        {{"workspaces", "delete", "w", "--yes", "--force"},
         "DELETE",
         "/v1/workspaces/w?force=true",
         ""},
        {{"executions", "enqueue", "d", "--input", R"({"a":1})", "--var", "b=x",
          "--definition-version", "2", "--priority", "5", "--not-before", "2026-01-01T00:00:00Z",
          "--deadline", "2026-01-02T00:00:00Z", "--concurrency-key", "k"},
         "POST",
         "/v1/workspaces/acme/executions",
         R"({"definitionId":"d","definitionVersion":2,"input":{"a":1,"b":"x"},"priority":5,
             "notBefore":"2026-01-01T00:00:00Z","deadline":"2026-01-02T00:00:00Z",
             "concurrencyKey":"k"})"},
        {{"executions", "list", "--status", "PENDING,RUNNING", "--queue-status", "CLAIMED",
          "--definition", "d", "--concurrency-key", "k", "--reason", "R", "--requested-by", "ci",
          "--created-from", "2026-01-01T00:00:00Z", "--created-before", "2026-01-02T00:00:00Z"},
         "GET",
         "/v1/workspaces/acme/executions?status=PENDING%2CRUNNING&queueStatus=CLAIMED"
         "&definitionId=d&concurrencyKey=k&reason=R&requestedBy=ci&createdFrom=2026-01-01T00%3A00%"
         "3A00Z&createdBefore=2026-01-02T00%3A00%3A00Z"
         "&page=0&pageSize=100",
         ""},
        {{"executions", "get", "X"}, "GET", "/v1/executions/X", ""},
        {{"executions", "cancel", "X", "--force", "--reason", "r"},
         "POST",
         "/v1/executions/X/cancel",
         R"({"reason":"r","force":true})"},
        {{"executions", "retry", "X", "--resume"},
         "POST",
         "/v1/executions/X/retry",
         R"({"resume":true})"},
        {{"executions", "complete", "X", "--result", "[1]", "--run-id", "r"},
         "POST",
         "/v1/executions/X/completion",
         R"({"status":"COMPLETED","result":[1],"runId":"r"})"},
        {{"executions", "complete", "X", "--status", "FAILED", "--reason", "TIMED_OUT", "--message",
          "m"},
         "POST",
         "/v1/executions/X/completion",
         R"({"status":"FAILED","error":{"reason":"TIMED_OUT","message":"m"}})"},
        {{"queue", "show"}, "GET", "/v1/workspaces/acme/queue", ""},
        {{"queue", "recover", "--older-than", "1.5m"},
         "POST",
         "/v1/workspaces/acme/queue/recover",
         R"({"olderThanSeconds":90})"},
        {{"dlq", "list", "--definition", "d", "--reason", "R"},
         "GET",
         "/v1/dead-letters?definitionId=d&reason=R&page=0&pageSize=100",
         ""},
        {{"dlq", "groups", "--limit", "5"}, "GET", "/v1/dead-letters/groups?pageSize=5", ""},
        {{"dlq", "get", "X"}, "GET", "/v1/dead-letters/X", ""},
        {{"dlq", "redrive", "X"}, "POST", "/v1/dead-letters/X/redrive", "{}"},
        {{"dlq", "dismiss", "X"}, "POST", "/v1/dead-letters/X/dismiss", "{}"},
        {{"dlq", "redrive", "X", "Y", "--trial", "1", "--rate", "0.5"},
         "POST",
         "/v1/dead-letters/redrive",
         R"({"ids":["X","Y"],"limit":10000,"trial":1,"ratePerSecond":0.5})"},
        {{"dlq", "dismiss", "X", "Y"},
         "POST",
         "/v1/dead-letters/dismiss",
         R"({"ids":["X","Y"],"limit":10000})"},
        {{"dlq", "purge", "X"}, "POST", "/v1/dead-letters/purge", R"({"ids":["X"],"limit":10000})"},
    };
    for (const Row& row : rows) {
        for (const char* output : {"table", "json", "yaml"}) {
            Arguments arguments = row.arguments;
            arguments.insert(arguments.end(), {"--output", output});
            EXPECT_EQ(run_there(arguments), succeeded) << testing::PrintToString(arguments) << err_;
            ASSERT_EQ(requests_.size(), 1u);
            EXPECT_EQ(requests_[0].method, row.method);
            EXPECT_EQ(requests_[0].target, row.target);
            if (*row.body == '\0') {
                EXPECT_EQ(requests_[0].body, "");
            } else {
                EXPECT_EQ(*json::parse(requests_[0].body), *json::parse(row.body))
                    << requests_[0].body;
            }
        }
    }
}

TEST_F(RunQueue, MistakesNeverReachTheServer) {
    for (const Arguments& arguments : std::vector<Arguments>{
             {"workspaces", "update", "w"},
             {"workspaces", "update", "w", "--pause", "--resume"},
             {"workspaces", "update", "w", "--unset", "weight"},
             {"workspaces", "create", "w", "--rate", "0"},
             {"workspaces", "delete", "w"},
             {"executions", "enqueue"},
             {"executions", "enqueue", "d", "--batch", "f"},
             {"executions", "enqueue", "--batch", "f", "--priority", "1"},
             {"executions", "enqueue", "--batch", "/nowhere/f"},
             {"executions", "enqueue", "d", "--priority", "10"},
             {"executions", "enqueue", "d", "--input", "[1]"},
             {"executions", "enqueue", "d", "--input", "{"},
             {"executions", "enqueue", "d", "--timeout", "5"},
             {"executions", "get", "X", "--wait", "--timeout", "5 weeks"},
             {"executions", "complete", "X", "--status", "DONE"},
             {"executions", "complete", "X", "--result", "@/nowhere/f"},
             {"queue", "recover"},
             {"queue", "recover", "--older-than", "soon"},
             {"queue", "recover", "--older-than", "-1"},
             {"dlq", "redrive"},
             {"dlq", "redrive", "X", "--all"},
             {"dlq", "redrive", "X", "--limit", "3"},
             {"dlq", "redrive", "--all", "--trial", "0"},
             {"dlq", "dismiss", "--all", "--rate", "3"},
             {"dlq", "groups", "--limit", "0"},
         }) {
        EXPECT_EQ(run_there(arguments), misused) << testing::PrintToString(arguments) << out_;
        EXPECT_EQ(requests_.size(), 0u) << testing::PrintToString(arguments);
        EXPECT_NE(err_, "");
    }
}

TEST_F(RunQueue, RoutesThatNameAWorkspaceAskForThatOfTheKey) {
    answers_ = {json_answer(200, R"({"workspace":"globex"})"), json_answer(202, R"({"id":"X"})")};
    EXPECT_EQ(run({"executions", "enqueue", "d", "--idempotency-key", "k"}), succeeded);
    ASSERT_EQ(requests_.size(), 2u);
    EXPECT_EQ(requests_[0].target, "/v1/whoami");
    EXPECT_EQ(requests_[1].target, "/v1/workspaces/globex/executions");
    EXPECT_EQ(requests_[1].header("idempotency-key"), "k");
    answers_ = {json_answer(200, "{}")};
    EXPECT_EQ(run({"executions", "list"}), succeeded);
    EXPECT_TRUE(requests_[1].target.starts_with("/v1/workspaces/default/executions"));
}

TEST_F(RunQueue, WorkspacesAreNamedByTheirCommandsAlone) {
    EXPECT_EQ(run({"workspaces", "get", "w", "--workspace", "acme"}), succeeded);
    EXPECT_EQ(requests_[0].header("millrace-workspace"), "");
    EXPECT_EQ(run({"executions", "get", "X", "--workspace", "acme"}), succeeded);
    EXPECT_EQ(requests_[0].header("millrace-workspace"), "acme");
}

TEST_F(RunQueue, WaitingEndsWithTheExecution) {
    const auto state = [](const char* status) {
        return json_answer(200, R"({"id":"X","queueStatus":")" + std::string(status) + "\"}");
    };
    answers_ = {json_answer(202, R"({"id":"X","queueStatus":"PENDING"})"), state("PENDING"),
                json_answer(503, R"({"error":"unavailable"})"), state("DISPATCHED"),
                state("COMPLETED")};
    EXPECT_EQ(run_there({"executions", "enqueue", "d", "--wait"}), succeeded) << err_;
    EXPECT_EQ(requests_.size(), 5u);
    EXPECT_NE(out_.find("COMPLETED"), std::string::npos);

    answers_ = {state("FAILED")};
    EXPECT_EQ(run_there({"executions", "get", "X", "--wait"}), refused);
    answers_ = {state("CLAIMED")};
    EXPECT_EQ(run_there({"executions", "get", "X", "--wait", "--timeout", "0.05s"}), no_answer);
    EXPECT_NE(err_.find("still CLAIMED"), std::string::npos) << err_;
    answers_ = {json_answer(404, R"({"error":"not-found"})")};
    EXPECT_EQ(run_there({"executions", "get", "X", "--wait"}), refused);
}

TEST_F(RunQueue, BatchesTellWhatBecameOfEachItem) {
    answers_ = {json_answer(200, R"({"results":[{"status":202,"execution":{"id":"X"}},
        {"status":404,"error":{"error":"not-found","message":"no such definition"}}]})")};
    const std::string items =
        R"([{"definitionId":"d","idempotencyKey":"k"},{"definitionId":"none"}])";
    EXPECT_EQ(run_there({"executions", "enqueue", "--batch", file(items)}), refused);
    EXPECT_EQ(out_, "1 enqueued, 1 failed.\n");
    EXPECT_EQ(err_, "  item 2: no such definition\n");
    EXPECT_EQ(requests_[0].target, "/v1/workspaces/acme/executions:batch");
    EXPECT_TRUE(requests_[0].body.starts_with(
        R"({"executions":[{"definitionId":"d","idempotencyKey":"k"},{"definitionId":"none",)"))
        << requests_[0].body;

    input_ = R"({"executions":)" + items + "}";
    EXPECT_EQ(run_there({"executions", "enqueue", "--batch", "-", "--output", "json"}), refused);
    EXPECT_EQ(out_, R"({"results":[{"execution":{"id":"X"}},)"
                    R"({"error":{"error":"not-found","message":"no such definition"}}]})"
                    "\n");
    EXPECT_EQ(run_there({"executions", "enqueue", "--batch", file("{}")}), misused);
    EXPECT_EQ(run_there({"executions", "enqueue", "--batch", file("[{},{},{}]")}), no_answer)
        << "two answers for three items";
}

TEST_F(RunQueue, LargeBatchesGoInRounds) {
    std::string items = "[";
    for (int i = 0; i < 1001; ++i) items += i == 0 ? "{}" : ",{}";
    const auto results = [](int count) {
        std::string text = R"({"results":[)";
        for (int i = 0; i < count; ++i) {
            text += i == 0 ? "" : ",";
            text += R"({"status":202,"execution":{"id":"X"}})";
        }
        return json_answer(200, text + "]}");
    };
    answers_ = {results(1000), results(1)};
    EXPECT_EQ(run_there({"executions", "enqueue", "--batch", file(items + "]")}), succeeded);
    EXPECT_EQ(requests_.size(), 2u);
    EXPECT_EQ(out_, "1001 enqueued, 0 failed.\n");
    answers_ = {results(1000), json_answer(503, R"({"error":"unavailable","message":"away"})")};
    EXPECT_EQ(run_there({"executions", "enqueue", "--batch", file(items + "]")}), no_answer);
    EXPECT_TRUE(err_.starts_with("1000 were enqueued before this:\nmillrace: away")) << err_;
}

TEST_F(RunQueue, LinesOfAllWorkspacesAreATable) {
    answers_ = {
        json_answer(200, R"({"items":[{"id":"acme"},{"id":"gone"},{"id":"globex"}],"total":3})"),
        json_answer(200, R"({"workspaceId":"acme","paused":true,"limits":{"maxActive":0},"active":5,
            "places":{"READY":12,"PARKED":1,"DUE":2},"deadLetters":3,"oldestAgeSeconds":42.5})"),
        json_answer(404, R"({"error":"not-found"})"),
        json_answer(200,
                    R"({"workspaceId":"globex","limits":{"maxActive":9},"active":4,"places":{}})")};
    EXPECT_EQ(run({"queue", "show"}), succeeded) << err_;
    EXPECT_EQ(out_,
              "WORKSPACE  STATE   SLOTS USED  IN LINE  PARKED  DUE  DEAD LETTERS  OLDEST WAITS\n"
              "acme       PAUSED  5           12       1       2    3             42 s\n"
              "globex     OPEN    4 of 9      0        0       0    0\n");
    EXPECT_EQ(requests_.back().target, "/v1/workspaces/globex/queue");
}

TEST_F(RunQueue, ManyDeadLettersAreChangedInRoundsAfterAsking) {
    answers_ = {json_answer(200, R"({"items":[],"total":3})"),
                json_answer(200, R"({"redriven":2,"executions":[{"id":"A"}],"failed":[],
                    "remaining":1})"),
                json_answer(200, R"({"redriven":1,"executions":[{"id":"B"}],"failed":[],
                    "remaining":0})")};
    const Arguments redrive{"dlq", "redrive", "--reason", "R"};
    EXPECT_EQ(run(redrive), misused) << "nobody can be asked";
    EXPECT_EQ(requests_.size(), 1u);
    EXPECT_NE(err_.find("--yes"), std::string::npos);

    is_terminal_ = true;
    input_ = "n\n";
    EXPECT_EQ(run(redrive), refused);
    EXPECT_EQ(requests_.size(), 1u);
    EXPECT_NE(err_.find("Redrive 3 dead letters? [y/N]"), std::string::npos) << err_;

    input_ = "y\n";
    EXPECT_EQ(run(redrive), succeeded);
    ASSERT_EQ(requests_.size(), 3u);
    EXPECT_EQ(requests_[0].target, "/v1/dead-letters?reason=R&page=0&pageSize=1");
    EXPECT_EQ(requests_[2].body, R"({"filter":{"reason":"R"},"limit":500})");
    EXPECT_EQ(out_, "3 redriven, 0 failed, 0 remaining.\n");

    is_terminal_ = false;
    EXPECT_EQ(run({"dlq", "redrive", "--all", "--yes", "--limit", "3", "--output", "json"}),
              succeeded);
    EXPECT_EQ(requests_[1].body, R"({"filter":{},"limit":3})");
    EXPECT_EQ(requests_[2].body, R"({"filter":{},"limit":1})");
    EXPECT_EQ(out_, R"({"redriven":3,"executions":[{"id":"A"},{"id":"B"}],"failed":[],)"
                    R"("remaining":0})"
                    "\n");
    EXPECT_EQ(run({"dlq", "redrive", "--all", "--yes", "--rate", "4"}), succeeded);
    EXPECT_EQ(requests_.size(), 2u) << "a rate holds within one call";
    EXPECT_EQ(run({"dlq", "purge", "--definition", "d", "--dry-run"}), succeeded);
    EXPECT_EQ(out_, "3 would be purged.\n");
    EXPECT_EQ(requests_.size(), 1u);
}

TEST_F(RunQueue, DeadLettersThatCannotBeChangedAreListed) {
    answers_ = {json_answer(200, R"({"purged":1,"remaining":0,
        "failed":[{"id":"Y","error":"conflict","message":"It is PENDING."}]})")};
    EXPECT_EQ(run({"dlq", "purge", "X", "Y"}), refused);
    EXPECT_EQ(out_, "1 purged, 1 failed, 0 remaining.\n");
    EXPECT_EQ(err_, "  Y: It is PENDING.\n");
}

TEST_F(RunQueue, DeletingAWorkspaceAsksFirst) {
    answers_ = {no_content()};
    is_terminal_ = true;
    input_ = "n\n";
    EXPECT_EQ(run({"workspaces", "delete", "w"}), refused);
    EXPECT_EQ(requests_.size(), 0u);
    input_ = "y\n";
    EXPECT_EQ(run({"workspaces", "delete", "w"}), succeeded);
    EXPECT_EQ(out_, "w is deleted.\n");
    answers_ = {json_answer(409, R"({"error":"conflict","message":"Ask with force=true."})")};
    EXPECT_EQ(run({"workspaces", "delete", "w", "--yes"}), refused);
    EXPECT_NE(err_.find("--force"), std::string::npos) << err_;
}

TEST_F(RunQueue, AdviceAboutWorkspacesIsOfUse) {
    answers_ = {json_answer(409, R"({"error":"conflict","message":"It cannot be deleted."})")};
    EXPECT_EQ(run({"workspaces", "delete", "w", "--yes"}), refused);
    EXPECT_EQ(err_.find("--force"), std::string::npos) << err_;
    EXPECT_EQ(run({"workspaces", "delete", "default", "--yes"}), refused);
    EXPECT_EQ(err_, "millrace: It cannot be deleted. (conflict)\n");
    answers_ = {json_answer(409, R"({"error":"conflict","message":"It exists already."})")};
    EXPECT_EQ(run({"workspaces", "create", "acme"}), refused);
    EXPECT_EQ(err_,
              "millrace: It exists already. (conflict)\n"
              "Change it with 'millrace workspaces update acme', or choose another id.\n");
}

TEST_F(RunQueue, ExplainAsksWhoseIdItIs) {
    const std::string id = "01ARZ3NDEKTSV4RRFFQ8000000";
    const Answer unknown = json_answer(404, R"({"error":"not-found","message":"no such thing"})");
    const Answer explained = json_answer(200, R"({"subject":"job","id":"x","status":"UNLOCKED",
        "over":false,"summary":"s","reasons":[{"code":"NO_WORKER","message":"No worker asks.",
        "evidence":{"jobType":"pay","jobsWaiting":3},"advice":"Start one."}]})");
    answers_ = {unknown, unknown, explained};
    EXPECT_EQ(run_there({"explain", id}), succeeded);
    ASSERT_EQ(requests_.size(), 3u);
    EXPECT_EQ(requests_[0].target, "/v1/executions/" + id + "/explain");
    EXPECT_EQ(requests_[1].target, "/v1/instances/" + id + "/explain");
    EXPECT_EQ(requests_[2].target, "/v1/jobs/" + id + "/explain");
    EXPECT_EQ(out_,
              "job     x\n"
              "status  UNLOCKED\n"
              "\n"
              "NO_WORKER  No worker asks.\n"
              "  jobType      pay\n"
              "  jobsWaiting  3\n"
              "  advice       Start one.\n");

    answers_ = {explained};
    EXPECT_EQ(run({"explain", "acme", "--output", "json"}), succeeded);
    EXPECT_EQ(requests_[0].target, "/v1/workspaces/acme/explain");
    EXPECT_NE(out_.find(R"("code":"NO_WORKER")"), std::string::npos);
    answers_ = {unknown};
    EXPECT_EQ(run({"explain", id}), refused);
    EXPECT_NE(err_.find("no such thing"), std::string::npos) << err_;
    EXPECT_EQ(run({"explain"}), misused);
}

}  // namespace
}  // namespace millrace::cli
