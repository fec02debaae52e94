// Goal: whatever a tenant has stored, no command sends it to a terminal as more than text.
// Method: a server that answers with the worst in every field, and commands in every format.

#include <gtest/gtest.h>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "cli/exit_code.hpp"
#include "support/scripted_commands.hpp"

namespace millrace::cli {
namespace {

using client::json_answer;

// Clears the screen, colours it by one character, turns the line around.
constexpr const char* kWorst = "a\x1b[2J\u009b31m\u202etxt.exe\u2066\u007f";

const std::string& worst_json() {
    static const std::string text = json::write(json::Value(kWorst));
    return text;
}

// Members with every name that is shown, all with the worst text.
std::string worst_document() {
    std::string text = R"({"id":"I","version":1,"total":1,"nextCursor":"")";
    for (const char* name :
         {"name",      "definitionId", "status",   "businessKey", "failureReason",  "stepId",
          "stepType",  "jobType",      "workerId", "assignee",    "workspaceId",    "error",
          "message",   "reason",       "role",     "requestedBy", "concurrencyKey", "kind",
          "subject",   "code",         "advice",   "errorReason", "errorMessage",   "keyId",
          "createdAt", "startedAt",    "plan"}) {
        text += ",\"" + std::string(name) + "\":" + worst_json();
    }
    text += R"(,"variables":{)" + worst_json() + ":" + worst_json() + "}";
    return text + R"(,"evidence":{)" + worst_json() + ":" + worst_json() + "}}";
}

std::string worst_list() {
    const std::string item = worst_document();
    return item.substr(0, item.size() - 1) + R"(,"items":[)" + item + R"(],"reasons":[)" + item +
           R"(],"history":[)" + item + "]}";
}

class TerminalOutput : public ScriptedCommands {
protected:
    // Nothing but text and line ends.
    static void expect_safe(const std::string& shown) {
        for (const char* part : {"\x1b", "\u009b", "\u202e", "\u2066", "\x7f"}) {
            EXPECT_EQ(shown.find(part), std::string::npos) << shown;
        }
    }
};

const std::vector<std::vector<std::string>> kCommands{
    {"instances", "list"},
    {"instances", "get", "I"},
    {"instances", "show", "I"},
    {"instances", "history", "I"},
    {"instances", "start", "order"},
    {"definitions", "list"},
    {"definitions", "get", "order"},
    {"tasks", "list"},
    {"tasks", "get", "T"},
    {"jobs", "list"},
    {"jobs", "get", "J"},
    {"executions", "list"},
    {"executions", "get", "E"},
    {"dlq", "list"},
    {"dlq", "groups"},
    {"workspaces", "list"},
    {"workspaces", "get", "acme"},
    {"queue", "acme"},
    {"keys", "list"},
    {"audit", "list"},
    {"explain", "acme"},
    {"health"},
};

TEST_F(TerminalOutput, IsTextWhateverTheServerAnswers) {
    int told = 0;
    for (const auto& command : kCommands) {
        for (const int status : {200, 404, 409, 500}) {
            for (const char* format : {"table", "json", "yaml"}) {
                SCOPED_TRACE(testing::PrintToString(command) + " " + format);
                answers_ = {json_answer(status, worst_list())};
                std::vector<std::string> arguments = command;
                arguments.insert(arguments.end(), {"--output", format});
                (void)run(arguments);
                expect_safe(out_);
                expect_safe(err_);
                if ((out_ + err_).find("txt.exe") != std::string::npos) told += 1;
            }
        }
    }
    EXPECT_GT(told, 150) << "It is shown, only not sent as it is.";
}

TEST_F(TerminalOutput, IsExactForProgramsThatReadIt) {
    answers_ = {json_answer(200, worst_document())};
    ASSERT_EQ(run({"instances", "get", "I", "--output", "json"}), succeeded);
    expect_safe(out_);
    const Result<json::Value> shown = json::parse(out_);
    ASSERT_TRUE(shown) << out_;
    EXPECT_EQ(*shown->find("businessKey"), json::Value(kWorst));
    EXPECT_EQ(*shown->find("variables")->find(kWorst), json::Value(kWorst));
}

TEST_F(TerminalOutput, OfWrongUsageIsTextToo) {
    EXPECT_EQ(run({std::string("\u009b31m\x1b[2J")}), misused);
    expect_safe(err_);
}

}  // namespace
}  // namespace millrace::cli
