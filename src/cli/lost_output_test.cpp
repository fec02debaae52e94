#include <gtest/gtest.h>

#include "cli/exit_code.hpp"
#include "support/scripted_commands.hpp"

namespace millrace::cli {
namespace {

using client::json_answer;

// A disk that is full.
class NoRoom : public std::streambuf {
protected:
    int_type overflow(int_type) override { return traits_type::eof(); }
};

// One that takes what is written and fails when it is to be kept.
class LateRefusal : public std::stringbuf {
protected:
    int sync() override { return -1; }
};

class LostOutput : public ScriptedCommands {
protected:
    int run_into(std::streambuf& buffer, std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--server", server_.url()});
        std::istringstream in;
        std::ostream out(&buffer);
        std::ostringstream err;
        const int exit_code = cli::run(arguments, local_, Console{in, out, err});
        err_ = err.str();
        return exit_code;
    }
};

TEST_F(LostOutput, IsNoSuccess) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"version"},
                                               {"--help"},
                                               {"completion", "bash"},
                                               {"instances", "list"},
                                               {"instances", "list", "--output", "json"},
                                               {"instances", "get", "I", "--output", "yaml"}}) {
        NoRoom full;
        EXPECT_EQ(run_into(full, arguments), refused) << testing::PrintToString(arguments);
        EXPECT_NE(err_.find("could not be written"), std::string::npos) << err_;
        LateRefusal late;
        EXPECT_EQ(run_into(late, arguments), refused) << testing::PrintToString(arguments);
    }
}

TEST_F(LostOutput, OfANewKeyIsToldWithTheKeysId) {
    answers_ = {json_answer(201, R"({"id":"K","name":"ci","role":"admin","key":"mr_K_s"})")};
    LateRefusal late;
    EXPECT_EQ(run_into(late, {"keys", "create", "ci", "--role", "admin"}), refused);
    EXPECT_EQ(err_,
              "millrace: The key K was created and is lost, for standard output could not be "
              "written. Revoke it and create another.\n");
}

TEST_F(LostOutput, EndsAStreamOfEvents) {
    answers_ = {{.bytes = "HTTP/1.1 200 OK\r\n\r\n"
                          "event: instance\ndata: {\"status\":\"ACTIVE\"}\n\n"}};
    NoRoom full;
    EXPECT_EQ(run_into(full, {"instances", "events", "I"}), refused);
}

TEST_F(LostOutput, LeavesTheCodeOfAFailureAsItIs) {
    answers_ = {json_answer(503, R"({"error":"unavailable","message":"m"})")};
    NoRoom full;
    EXPECT_EQ(run_into(full, {"instances", "get", "I"}), no_answer);
}

}  // namespace
}  // namespace millrace::cli
