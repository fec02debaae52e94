#include "cli/run.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/exit_code.hpp"
#include "scripted_server.hpp"

namespace millrace::cli {
namespace {

using client::Answer;
using client::json_answer;
using client::Received;

constexpr const char* kInstance =
    R"({"id":"I1","definitionId":"order","definitionVersion":2,"status":"WAITING",)"
    R"("currentStepIds":["pay","ship"],"variables":{"n":1},"startedAt":"2026-01-02T03:04:05Z"})";

class Run : public testing::Test {
protected:
    int run(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--server", server_.url()});
        std::istringstream in(input_);
        std::ostringstream out;
        std::ostringstream err;
        const Console console{in, out, err, is_terminal_, is_terminal_, is_terminal_};
        const int exit_code = cli::run(arguments, local_, console);
        out_ = out.str();
        err_ = err.str();
        return exit_code;
    }

    std::string file(const std::string& name, const std::string& text) {
        const auto directory = std::filesystem::path(testing::TempDir()) /
                               testing::UnitTest::GetInstance()->current_test_info()->name();
        std::filesystem::create_directories(directory);
        std::ofstream(directory / name) << text;
        return (directory / name).string();
    }

    std::string input_;
    std::string out_;
    std::string err_;
    Answer answer_ = json_answer(200, kInstance);
    bool is_terminal_ = false;
    Local local_{
        .check_definition = [](const json::Value& definition, bool allow_unknown) -> Status {
            if (definition.find("steps") == nullptr) {
                return Error{ErrorCode::invalid_argument, "All wrong.", {{"steps", "is missing"}}};
            }
            if (definition.find("extra") != nullptr && !allow_unknown) {
                return Error{ErrorCode::invalid_argument, "unknown field extra"};
            }
            return ok();
        }};
    std::string uploaded_;
    // Of the definition that was uploaded last.
    Answer versions_ = json_answer(200, R"({"items":[],"total":0})");
    client::ScriptedServer server_{[this](const Received& received) {
        if (received.target.find("/versions?") != std::string::npos) return versions_;
        if (received.target == "/v1/definitions") uploaded_ = received.body;
        return answer_;
    }};
};

TEST_F(Run, GetShowsAnInstance) {
    EXPECT_EQ(run({"instances", "get", "I1"}), succeeded);
    EXPECT_EQ(server_.latest().target, "/v1/instances/I1");
    EXPECT_EQ(out_,
              "id             I1\n"
              "definition     order version 2\n"
              "status         WAITING\n"
              "current steps  pay, ship\n"
              "started        2026-01-02T03:04:05Z\n"
              "variables      {\"n\":1}\n");
}

TEST_F(Run, GetAsJsonIsTheServersDocument) {
    EXPECT_EQ(run({"instances", "get", "I1", "--output", "json"}), succeeded);
    EXPECT_EQ(out_, std::string(kInstance) + "\n");
}

TEST_F(Run, StartSendsVariablesAndAssignments) {
    answer_ = json_answer(201, kInstance);
    EXPECT_EQ(run({"instances", "start", "order", "--variables", R"({"a":1,"b":2})", "--var",
                   "b=[3]", "--var", "name=Ann Lee"}),
              succeeded);
    EXPECT_EQ(server_.latest().body,
              R"({"definitionId":"order","variables":{"a":1,"b":[3],"name":"Ann Lee"}})");
    EXPECT_TRUE(out_.starts_with("id             I1\n")) << out_;
}

TEST_F(Run, StartReadsVariablesFromFilesAndStandardInput) {
    answer_ = json_answer(201, kInstance);
    EXPECT_EQ(run({"instances", "start", "o", "--variables", "@" + file("v.json", R"({"a":1})")}),
              succeeded);
    EXPECT_EQ(server_.latest().body, R"({"definitionId":"o","variables":{"a":1}})");
    input_ = R"({"a":2})";
    EXPECT_EQ(run({"instances", "start", "o", "--variables", "-"}), succeeded);
    EXPECT_EQ(server_.latest().body, R"({"definitionId":"o","variables":{"a":2}})");
}

TEST_F(Run, StartRefusesVariablesThatAreNoObject) {
    EXPECT_EQ(run({"instances", "start", "o", "--variables", "5"}), misused);
    EXPECT_EQ(run({"instances", "start", "o", "--variables", "{"}), misused);
    EXPECT_EQ(run({"instances", "start", "o", "--var", "novalue"}), misused);
    EXPECT_EQ(server_.latest().target, "");
}

TEST_F(Run, HistoryIsATable) {
    answer_ = json_answer(200, R"({"items":[
        {"stepId":"pay","stepType":"SERVICE_TASK","attemptNumber":1,"status":"FAILED",
         "startedAt":"t1","endedAt":"t2","failureReason":"no money"},
        {"stepId":"end","stepType":"END","attemptNumber":1,"status":"RUNNING","startedAt":"t3",
         "endedAt":null}]})");
    EXPECT_EQ(run({"instances", "history", "I1"}), succeeded);
    EXPECT_EQ(server_.latest().target, "/v1/instances/I1/history");
    EXPECT_EQ(out_,
              "STEP  TYPE          ATTEMPT  STATUS   STARTED  ENDED  REASON\n"
              "pay   SERVICE_TASK  1        FAILED   t1       t2     no money\n"
              "end   END           1        RUNNING  t3\n");
}

TEST_F(Run, CancelSendsItsReason) {
    EXPECT_EQ(run({"instances", "cancel", "I1", "--reason", "typo"}), succeeded);
    EXPECT_EQ(server_.latest().target, "/v1/instances/I1/cancel");
    EXPECT_EQ(server_.latest().body, R"({"reason":"typo"})");
}

TEST_F(Run, ApplyUploadsEachFileAsItIs) {
    answer_ = json_answer(201, R"({"id":"order","version":4,"name":"An order"})");
    input_ = R"({"id":"order"})";
    EXPECT_EQ(run({"definitions", "apply", file("d.json", R"({"id": "x", "steps": []})"), "-"}),
              succeeded);
    EXPECT_EQ(uploaded_, R"({"id":"order"})");
    EXPECT_EQ(err_, "");
    EXPECT_EQ(out_, "order version 4 (An order)\norder version 4 (An order)\n");
}

TEST_F(Run, ApplyOfOlderContentTellsWhatStaysInForce) {
    answer_ = json_answer(200, R"({"id":"order","version":4,"name":"An order"})");
    versions_ = json_answer(200, R"({"items":[{"id":"order","version":6}],"total":6})");
    const std::string old = file("d.json", R"({"id":"order"})");
    EXPECT_EQ(run({"definitions", "apply", old}), succeeded);
    EXPECT_EQ(server_.latest().target, "/v1/definitions/order/versions?page=0&pageSize=1");
    EXPECT_EQ(out_, "order version 4 (An order)\n");
    EXPECT_NE(err_.find("version 4 already; version 6 stays the latest"), std::string::npos)
        << err_;
    EXPECT_EQ(run({"definitions", "apply", old, "--output", "json"}), succeeded);
    EXPECT_EQ(err_, "");
    versions_ = json_answer(200, R"({"items":[{"id":"order","version":4}],"total":4})");
    EXPECT_EQ(run({"definitions", "apply", old}), succeeded);
    EXPECT_EQ(err_, "");
    versions_ = json_answer(403, R"({"error":"forbidden","message":"m"})");
    EXPECT_EQ(run({"definitions", "apply", old}), succeeded);
}

TEST_F(Run, ApplyGoesOnAfterAFileThatIsNoJson) {
    answer_ = json_answer(201, R"({"id":"order","version":4,"name":"An order"})");
    const std::string bad = file("bad.json", "{");
    const std::string good = file("good.json", "{}");
    EXPECT_EQ(run({"definitions", "apply", bad, good}), misused);
    EXPECT_EQ(out_, "order version 4 (An order)\n");
    EXPECT_TRUE(err_.starts_with("millrace: " + bad + ": ")) << err_;
}

TEST_F(Run, ApplyNamesAFileThatItCannotRead) {
    EXPECT_EQ(run({"definitions", "apply", "/nonexistent.json"}), misused);
    EXPECT_EQ(err_, "millrace: Cannot read /nonexistent.json: No such file or directory.\n");
    EXPECT_EQ(run({"definitions", "apply", "/"}), misused);
    EXPECT_EQ(err_, "millrace: Cannot read /: it is a directory.\n");
    const std::string empty = file("empty.json", "");
    EXPECT_EQ(run({"definitions", "apply", empty}), misused);
    EXPECT_EQ(err_, "millrace: Cannot read " + empty + ": it is empty.\n");
}

TEST_F(Run, ValidateNeedsNoServer) {
    const std::string good = file("good.json", R"({"steps":[]})");
    const std::string bad = file("bad.json", "{}");
    EXPECT_EQ(run({"definitions", "validate", good, bad}), refused);
    EXPECT_EQ(out_, good + ": accepted\n" + bad + ": refused\n  steps: is missing\n");
    EXPECT_EQ(server_.latest().target, "");
}

TEST_F(Run, ValidateAsJsonIsOneLinePerFile) {
    const std::string good = file("good.json", R"({"steps":[]})");
    const std::string bad = file("bad.json", "{}");
    EXPECT_EQ(run({"definitions", "validate", good, bad, "--output", "json"}), refused);
    EXPECT_EQ(out_, R"({"file":")" + good + R"(","accepted":true})" + "\n" + R"({"file":")" + bad +
                        R"(","accepted":false,"error":"All wrong.",)" +
                        R"("details":[{"path":"steps","message":"is missing"}]})" + "\n");
}

TEST_F(Run, ValidateMayAllowUnknownFields) {
    const std::string extra = file("extra.json", R"({"steps":[],"extra":1})");
    EXPECT_EQ(run({"definitions", "validate", extra}), refused);
    EXPECT_EQ(out_, extra + ": refused\n  unknown field extra\n");
    EXPECT_EQ(run({"definitions", "validate", extra, "--allow-unknown-fields"}), succeeded);
}

TEST_F(Run, RefusalOfTheServerIsExplained) {
    answer_ = json_answer(409, R"({"error":"conflict","message":"It is COMPLETED."})");
    EXPECT_EQ(run({"instances", "cancel", "I1"}), refused);
    EXPECT_EQ(out_, "");
    EXPECT_EQ(err_,
              "millrace: It is COMPLETED. (conflict)\n"
              "Look at its state first: it does not allow this, or no longer does.\n");
}

TEST_F(Run, FailuresAreJsonForPrograms) {
    EXPECT_EQ(run({"instances", "start", "--output", "json"}), misused);
    EXPECT_EQ(out_, "");
    EXPECT_EQ(
        err_,
        R"({"error":"wrong-usage","message":"DEFINITION is required. See 'millrace instances )"
        R"(start --help'."})"
        "\n");
    EXPECT_EQ(run({"instances", "start", "o", "--var", "x", "--output", "json"}), misused);
    EXPECT_TRUE(err_.starts_with(R"({"error":"wrong-usage","message":)")) << err_;
    EXPECT_EQ(run({"instances", "start"}), misused);
    EXPECT_TRUE(err_.starts_with("millrace: DEFINITION is required.")) << err_;
}

TEST_F(Run, VersionIsPrinted) {
    EXPECT_EQ(run({"version"}), succeeded);
    EXPECT_TRUE(out_.starts_with("millrace 0.")) << out_;
    EXPECT_EQ(run({"version", "--output", "json"}), succeeded);
    EXPECT_TRUE(out_.starts_with(R"({"version":"0.)")) << out_;
}

}  // namespace
}  // namespace millrace::cli
