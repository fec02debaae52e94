#include <gtest/gtest.h>

#include "cli/exit_code.hpp"
#include "support/scripted_commands.hpp"

namespace millrace::cli {
namespace {

using client::json_answer;

class RunWorkerTest : public ScriptedCommands {};

struct Row {
    int status;
    const char* body;
    const char* advice;
};

TEST_F(RunWorkerTest, EndsWhenTheServerDoesNotTakeIt) {
    for (const Row& row : {Row{401, R"({"error":"unauthorized","message":"m"})", "--api-key"},
                           Row{403, R"({"error":"forbidden","message":"m"})", "use another key"},
                           Row{400, R"({"error":"bad-request","message":"m"})", "(bad-request)"}}) {
        answers_ = {json_answer(row.status, row.body)};
        EXPECT_EQ(run({"worker", "--type", "t", "--exec", "true"}), refused) << row.status;
        EXPECT_NE(err_.find(row.advice), std::string::npos) << err_;
        EXPECT_EQ(err_.find("Trying again"), std::string::npos) << err_;
        EXPECT_EQ(out_, "");
    }
}

TEST_F(RunWorkerTest, EndsAtOnceWhenThereIsNoSuchCommand) {
    for (const char* command : {"no-such-command-here --now", "/no/such/file", "./no-such-file"}) {
        EXPECT_EQ(run({"worker", "--type", "t", "--exec", command}), misused) << command;
        EXPECT_NE(err_.find("is not found"), std::string::npos) << err_;
        EXPECT_TRUE(requests_.empty()) << "it asks for no jobs";
    }
}

TEST_F(RunWorkerTest, WaitsForAServerThatCannotAnswerAndEndsWhenThatRefusesIt) {
    answers_ = {json_answer(200, "{}"),
                json_answer(503, R"({"error":"unavailable","message":"m"})"),
                json_answer(401, R"({"error":"unauthorized","message":"m"})")};
    EXPECT_EQ(run({"worker", "--type", "t", "--exec", "true"}), refused);
    EXPECT_NE(err_.find("Trying again until it answers."), std::string::npos) << err_;
    EXPECT_EQ(requests_.size(), 3u);
}

}  // namespace
}  // namespace millrace::cli
