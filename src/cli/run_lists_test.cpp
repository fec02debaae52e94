#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "cli/back_up.hpp"
#include "cli/exit_code.hpp"
#include "support/scripted_commands.hpp"

namespace millrace::cli {
namespace {

using client::Answer;
using client::json_answer;
using client::no_content;
using client::Received;

// The commands that are little more than a call: what they send, and what they print.
class RunCalls : public ScriptedCommands {
protected:
    RunCalls()
        : ScriptedCommands({.canonical_definition = [](const json::Value& definition) {
              json::Value sorted = json::Object{};
              for (const char* name : {"id", "name"}) {
                  if (const json::Value* value = definition.find(name)) sorted.set(name, *value);
              }
              return json::write(sorted);
          }}) {}

    int back_up_at_no_server(bool server_is_named) {
        std::istringstream in;
        std::ostringstream out;
        std::ostringstream err;
        Console console{in, out, err};
        const int exit_code =
            execute(BackUp{.file = "b"}, Context{.console = console,
                                                 .server = {.server = "http://127.0.0.1:9"},
                                                 .server_is_named = server_is_named,
                                                 .local = local_});
        err_ = err.str();
        return exit_code;
    }
};

struct Row {
    std::vector<std::string> arguments;
    const char* method;
    const char* target;
    const char* body;
};

TEST_F(RunCalls, SendWhatTheirRoutesExpect) {
    const std::vector<Row> rows{
        {{"instances", "retry", "I"}, "POST", "/v1/instances/I/retry", "{}"},
        {{"instances", "suspend", "I", "--reason", "r"},
         "POST",
         "/v1/instances/I/suspend",
         R"({"reason":"r"})"},
        {{"instances", "resume", "I"}, "POST", "/v1/instances/I/resume", "{}"},
        {{"instances", "set", "I", "--var", "a=1", "--remove", "b", "--expected-version", "3"},
         "PATCH",
         "/v1/instances/I/variables",
         R"({"variables":{"a":1},"remove":["b"],"expectedVersion":3})"},
        {{"instances", "list", "--definition", "d", "--status", "ACTIVE,FAILED", "--suspended",
          "true", "--text", "x y", "--limit", "5"},
         "GET",
         "/v1/instances?definitionId=d&status=ACTIVE%2CFAILED&suspended=true&text=x%20y&page=0"
         "&pageSize=5",
         ""},
        {{"definitions", "list", "--keyword", "k"},
         "GET",
         "/v1/definitions?keyword=k&page=0&pageSize=100",
         ""},
        {{"definitions", "list", "--versions-of", "d"},
         "GET",
         "/v1/definitions/d/versions?page=0&pageSize=100",
         ""},
        {{"definitions", "get", "d", "--definition-version", "2"},
         "GET",
         "/v1/definitions/d/versions/2",
         ""},
        {{"tasks", "list", "--group", "clerks", "--unassigned"},
         "GET",
         "/v1/user-tasks?group=clerks&unassigned=true&page=0&pageSize=100",
         ""},
        {{"tasks", "get", "T"}, "GET", "/v1/user-tasks/T", ""},
        {{"tasks", "claim", "T", "--user", "ada"},
         "POST",
         "/v1/user-tasks/T/claim",
         R"({"userId":"ada"})"},
        {{"tasks", "unclaim", "T"}, "POST", "/v1/user-tasks/T/unclaim", "{}"},
        {{"tasks", "assign", "T", "bob"},
         "POST",
         "/v1/user-tasks/T/assign",
         R"({"assignee":"bob"})"},
        {{"jobs", "list", "--type", "pay", "--status", "LOCKED"},
         "GET",
         "/v1/jobs?jobType=pay&status=LOCKED&page=0&pageSize=100",
         ""},
        {{"jobs", "get", "J"}, "GET", "/v1/jobs/J", ""},
        {{"jobs", "release", "J"}, "POST", "/v1/jobs/J/release", "{}"},
        {{"jobs", "release", "J", "--worker", "w", "--lease-token", "3", "--delay", "60",
          "--reason", "stuck"},
         "POST",
         "/v1/jobs/J/release",
         R"({"workerId":"w","leaseToken":3,"delaySeconds":60,"reason":"stuck"})"},
        {{"audit", "--kind", "KEY_CREATED", "--kind", "KEY_REVOKED", "--since",
          "2026-01-01T00:00:00Z"},
         "GET",
         "/v1/"
         "audit?kind=KEY_CREATED%2CKEY_REVOKED&since=2026-01-01T00%3A00%3A00Z&page=0&pageSize=100",
         ""},
        {{"keys", "create", "ci", "--role", "worker", "--for-workspace", "w"},
         "POST",
         "/v1/keys",
         R"({"name":"ci","role":"worker","workspace":"w"})"},
        {{"keys", "list"}, "GET", "/v1/keys?page=0&pageSize=100", ""},
        {{"keys", "revoke", "K"}, "DELETE", "/v1/keys/K", ""},
    };
    for (const Row& row : rows) {
        for (const char* output : {"table", "json", "yaml"}) {
            std::vector<std::string> arguments = row.arguments;
            arguments.insert(arguments.end(), {"--output", output});
            EXPECT_EQ(run(arguments), succeeded) << testing::PrintToString(arguments) << err_;
            ASSERT_EQ(requests_.size(), 1u);
            EXPECT_EQ(requests_[0].method, row.method);
            EXPECT_EQ(requests_[0].target, row.target);
            EXPECT_EQ(requests_[0].body, row.body);
        }
    }
}

TEST_F(RunCalls, TellThatNothingIsAudited) {
    for (const bool is_on : {true, false}) {
        answers_ = {json_answer(200, std::string(R"({"items":[],"total":0,"enabled":)") +
                                         (is_on ? "true}" : "false}"))};
        EXPECT_EQ(run({"audit"}), succeeded);
        EXPECT_EQ(err_.find("switched off") == std::string::npos, is_on) << err_;
        EXPECT_EQ(run({"audit", "--output", "json"}), succeeded);
        EXPECT_EQ(err_, "");
    }
}

TEST_F(RunCalls, CarryKeyAndWorkspace) {
    EXPECT_EQ(run({"keys", "list", "--api-key", "mr_a_b", "--workspace", "acme"}), succeeded);
    EXPECT_EQ(requests_[0].header("authorization"), "Bearer mr_a_b");
    EXPECT_EQ(requests_[0].header("millrace-workspace"), "acme");
}

TEST_F(RunCalls, AKeyMeantForOneWorkspaceNeverOpensAll) {
    EXPECT_EQ(run({"keys", "create", "ci", "--role", "admin", "--workspace", "acme"}), misused);
    EXPECT_TRUE(requests_.empty());
    EXPECT_NE(err_.find("--for-workspace acme"), std::string::npos) << err_;
    EXPECT_EQ(run({"keys", "create", "ci", "--role", "worker", "--workspace", "acme",
                   "--for-workspace", "acme"}),
              succeeded);
}

TEST_F(RunCalls, SignalAndCompleteShowWhatBecameOfIt) {
    answers_ = {no_content(), json_answer(200, R"({"id":"I","status":"COMPLETED"})")};
    EXPECT_EQ(
        run({"instances", "signal", "I", "wait", "--var", "ok=true", "--idempotency-key", "k"}),
        succeeded);
    EXPECT_EQ(requests_[0].target, "/v1/instances/I/signals/wait");
    EXPECT_EQ(requests_[0].body, R"({"ok":true})");
    EXPECT_EQ(requests_[0].header("idempotency-key"), "k");
    EXPECT_NE(out_.find("COMPLETED"), std::string::npos);

    answers_[1] = json_answer(200, R"({"id":"T","status":"COMPLETED","completedBy":"ada"})");
    EXPECT_EQ(run({"tasks", "complete", "T", "--user", "ada"}), succeeded);
    EXPECT_EQ(requests_[0].body, R"({"userId":"ada","variables":{}})");
    EXPECT_EQ(requests_[1].target, "/v1/user-tasks/T");
    EXPECT_NE(out_.find("completed by"), std::string::npos);
}

TEST_F(RunCalls, ListsAreTablesAndSayWhatTheyLeaveOut) {
    answers_ = {json_answer(200, R"({"items":[{"id":"I1","definitionId":"d",
        "definitionVersion":2,"status":"ACTIVE","currentStepIds":["a"],"startedAt":"t",
        "businessKey":"k"}],"total":9,"nextCursor":"c"})")};
    EXPECT_EQ(run({"instances", "list", "--limit", "1"}), succeeded);
    EXPECT_EQ(out_,
              "ID  DEFINITION  STATUS  STEPS  STARTED  BUSINESS KEY\n"
              "I1  d:2         ACTIVE  a      t        k\n");
    EXPECT_EQ(err_, "1 of 9 are shown; --limit 0 shows all of them.\n");
}

TEST_F(RunCalls, ListsFollowCursorsToTheEnd) {
    answers_ = {json_answer(200, R"({"items":[{"id":"a"}],"total":2,"nextCursor":"c1"})"),
                json_answer(200, R"({"items":[{"id":"b"}],"total":2})")};
    EXPECT_EQ(run({"keys", "list", "--limit", "0", "--output", "json"}), succeeded);
    EXPECT_EQ(out_, R"({"items":[{"id":"a"},{"id":"b"}],"total":2})"
                    "\n");
    ASSERT_EQ(requests_.size(), 2u);
    EXPECT_EQ(requests_[1].target, "/v1/keys?cursor=c1&pageSize=500");
}

TEST_F(RunCalls, DiffTellsWhetherAndHow) {
    answers_ = {json_answer(200, R"({"name":"N","id":"d","version":4})")};
    EXPECT_EQ(run({"definitions", "diff", file(R"({"id":"d","name":"N"})")}), succeeded);
    EXPECT_EQ(out_, "");
    const std::string changed = file(R"({"id":"d","name":"M"})");
    EXPECT_EQ(run({"definitions", "diff", changed}), refused);
    EXPECT_EQ(out_, "--- d on the server\n+++ " + changed +
                        "\n@@ -1,4 +1,4 @@\n {\n   \"id\": \"d\",\n-  \"name\": \"N\"\n"
                        "+  \"name\": \"M\"\n }\n");
    answers_ = {json_answer(404, R"({"error":"not-found"})")};
    EXPECT_EQ(run({"definitions", "diff", changed}), refused);
    EXPECT_TRUE(out_.starts_with("--- d not on the server\n")) << out_;
    EXPECT_EQ(run({"definitions", "diff", file("{}")}), misused);
}

TEST_F(RunCalls, CancelOfManyAsksFirst) {
    answers_ = {json_answer(200, R"({"matched":3,"cancelled":0,"failed":[],"more":false})"),
                json_answer(200, R"({"matched":2,"cancelled":2,"failed":[],"more":true})"),
                json_answer(200, R"({"matched":1,"cancelled":1,"failed":[],"more":false})")};
    const std::vector<std::string> cancel{"instances", "cancel", "--definition", "d"};
    EXPECT_EQ(run(cancel), misused) << "nobody can be asked";
    EXPECT_EQ(requests_.size(), 1u);
    EXPECT_NE(err_.find("--yes"), std::string::npos);

    is_terminal_ = true;
    input_ = "n\n";
    EXPECT_EQ(run(cancel), refused);
    EXPECT_EQ(requests_.size(), 1u);
    EXPECT_NE(err_.find("Cancel 3 instances? [y/N]"), std::string::npos);

    input_ = "y\n";
    EXPECT_EQ(run(cancel), succeeded);
    ASSERT_EQ(requests_.size(), 3u);
    EXPECT_EQ(requests_[0].body, R"({"filter":{"definitionId":"d"},"dryRun":true})");
    EXPECT_EQ(requests_[1].body, R"({"filter":{"definitionId":"d"},"dryRun":false,"limit":500})");
    EXPECT_EQ(out_, "3 cancelled, 0 failed.\n");
}

TEST_F(RunCalls, CancelOfManyTellsWhatFailed) {
    answers_ = {json_answer(200, R"({"matched":2})"),
                json_answer(200, R"({"matched":2,"cancelled":1,"more":false,
                    "failed":[{"id":"I2","message":"busy"}]})")};
    EXPECT_EQ(run({"instances", "cancel", "--text", "x", "--yes", "--reason", "r"}), refused);
    EXPECT_EQ(out_, "1 cancelled, 1 failed.\n");
    EXPECT_EQ(err_, "  I2: busy\n");
    EXPECT_EQ(run({"instances", "cancel", "--text", "x", "--dry-run"}), succeeded);
    EXPECT_EQ(out_, "2 would be cancelled.\n");
    EXPECT_EQ(requests_.size(), 1u);
}

TEST_F(RunCalls, CancelWantsOneOrMany) {
    EXPECT_EQ(run({"instances", "cancel"}), misused);
    EXPECT_EQ(run({"instances", "cancel", "I", "--definition", "d"}), misused);
    EXPECT_EQ(requests_.size(), 0u);
}

TEST_F(RunCalls, EventsArePrintedAsTheyCome) {
    answers_ = {Answer{.bytes = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
                                "id: 1\nevent: step\ndata: {\"stepId\":\"pay\",\"status\":"
                                "\"RUNNING\"}\n\n"
                                "id: 2\nevent: instance\ndata: {\"status\":\"FAILED\","
                                "\"failureReason\":\"no money\"}\n\n",
                       .close_after = true}};
    EXPECT_EQ(run({"instances", "events", "I", "--after", "0"}), succeeded) << err_;
    EXPECT_EQ(out_, "step pay RUNNING\ninstance FAILED: no money\n");
    EXPECT_EQ(requests_[0].header("last-event-id"), "0");
    EXPECT_EQ(run({"instances", "events", "I", "--output", "json"}), succeeded);
    EXPECT_TRUE(out_.starts_with(R"({"id":"1","event":"step","data":{"stepId":"pay",)")) << out_;
}

TEST_F(RunCalls, KeysAreShownOnceAndMadeInTheStoreWhenAsked) {
    answers_ = {json_answer(201, R"({"id":"K","name":"ci","role":"admin","key":"mr_K_s"})")};
    EXPECT_EQ(run({"keys", "create", "ci", "--role", "admin"}), succeeded);
    EXPECT_NE(out_.find("mr_K_s"), std::string::npos);
    EXPECT_EQ(err_, "Keep the key now: it is not shown again.\n");
    EXPECT_EQ(run({"keys", "create", "ci", "--role", "king"}), misused);

    EXPECT_EQ(run({"keys", "create", "ci", "--role", "admin", "--data-dir", "d"}), misused);
    std::vector<LocalKey> made;
    local_.keys.create = [&](const LocalKey& key) -> Result<json::Value> {
        made.push_back(key);
        return *json::parse(R"({"id":"L","key":"mr_L_s"})");
    };
    EXPECT_EQ(run({"keys", "create", "ci", "--role", "admin", "--data-dir", "d"}), succeeded);
    ASSERT_EQ(made.size(), 1u);
    EXPECT_EQ(made[0].store, "sqlite:d/millrace.db");
    EXPECT_NE(out_.find("mr_L_s"), std::string::npos);
    EXPECT_EQ(requests_.size(), 0u);
}

TEST_F(RunCalls, BackupIsKeptWhenItIsSound) {
    const std::string to = folder_.path() / "b";
    answers_ = {json_answer(200, "bytes")};
    bool is_sound = false;
    local_.data.check_backup = [&](const std::string& path) -> Status {
        EXPECT_EQ(path, to + ".part");
        if (is_sound) return ok();
        return Error{ErrorCode::data_refused, "It is damaged."};
    };
    EXPECT_EQ(run({"backup", "--to", to}), refused);
    EXPECT_NE(err_.find("Is it a Millrace server"), std::string::npos) << err_;
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
    is_sound = true;
    EXPECT_EQ(run({"backup", "--to", to}), succeeded) << err_;
    EXPECT_EQ(requests_[0].target, "/v1/backup");
    EXPECT_EQ(std::filesystem::file_size(to), 5u);
    EXPECT_EQ(run({"backup", "--to", to}), refused) << "it is there already";
    EXPECT_EQ(requests_.size(), 0u);
    EXPECT_EQ(run({"backup", "--to", to, "--force"}), succeeded);
    answers_ = {json_answer(409, R"({"error":"conflict","message":"use pg_dump"})")};
    EXPECT_EQ(run({"backup", "--to", to + "2"}), refused);
    EXPECT_NE(err_.find("use pg_dump"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(to + "2.part"));
}

TEST_F(RunCalls, BackupOfADirectoryAsksNoServer) {
    std::string copied;
    local_.data.back_up = [&](const std::string& directory, const std::string& path) -> Status {
        copied = directory;
        std::ofstream(path) << "x";
        return ok();
    };
    EXPECT_EQ(run({"backup", "--to", folder_.path() / "b", "--data-dir", "d"}), succeeded);
    EXPECT_EQ(copied, "d");
    EXPECT_EQ(requests_.size(), 0u);
    local_.data.back_up = [](const std::string&, const std::string&) -> Status {
        return Error{ErrorCode::conflict, "d is in use."};
    };
    EXPECT_EQ(run({"backup", "--to", folder_.path() / "c", "--data-dir", "d"}), refused);
    EXPECT_NE(err_.find("leave out --data-dir"), std::string::npos) << err_;
}

TEST_F(RunCalls, BackupWithoutAServerSaysWhatElseToName) {
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
    local_.data.back_up = [](const std::string&, const std::string&) -> Status {
        return Error{ErrorCode::conflict, "It is in use."};
    };
    EXPECT_EQ(back_up_at_no_server(false), no_answer);
    EXPECT_NE(err_.find("--data-dir names another"), std::string::npos) << err_;
    std::filesystem::create_directory("millrace-data");
    EXPECT_EQ(back_up_at_no_server(true), no_answer) << "it is another store that was meant";
    EXPECT_NE(err_.find("Nothing is copied: --data-dir DIR"), std::string::npos) << err_;
    EXPECT_EQ(back_up_at_no_server(false), refused);
    EXPECT_EQ(err_.find("--data-dir"), std::string::npos) << err_;
    EXPECT_NE(err_.find("with --server, or stop it first"), std::string::npos) << err_;
    std::filesystem::current_path(before);
}

TEST_F(RunCalls, RestoreSaysHowToGoOn) {
    local_.data.restore = [](const std::string&, const std::string&) {
        return ok();
    };
    EXPECT_EQ(run({"restore", "--from", "b", "--data-dir", "d"}), succeeded);
    EXPECT_EQ(out_, "Restored. Start a server with: millrace serve --store sqlite:d/millrace.db\n");
}

}  // namespace
}  // namespace millrace::cli
