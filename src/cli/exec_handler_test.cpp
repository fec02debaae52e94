#include "cli/exec_handler.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <ostream>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "millrace/client/testing.hpp"

namespace millrace::cli {
namespace {

struct Row {
    const char* name;
    const char* command;
    // "completed VARIABLES", "failed MESSAGE" or "given up MESSAGE".
    const char* outcome;
};

void PrintTo(const Row& row, std::ostream* out) {
    *out << row.command;
}

std::string text_of(const client::Outcome& outcome) {
    if (const auto* completed = std::get_if<client::Completed>(&outcome)) {
        return "completed " + json::write(completed->variables);
    }
    const auto& failed = std::get<client::Failed>(outcome);
    return (failed.retryable ? "failed " : "given up ") + failed.message;
}

client::Outcome run_command(const std::string& command, const client::Job& job) {
    client::testing::FakeJobContext context;
    return run_for_job(command, job, context);
}

TEST(FindCommand, KnowsWhatAShellKnows) {
    ::signal(SIGPIPE, SIG_IGN);
    for (const char* command :
         {"true", "cat /dev/null", "/bin/sh -c 'exit 1'", "exit 3", "if true; then :; fi",
          "X=1 no-such-command", "\"quoted\" word", "$COMMAND"}) {
        EXPECT_TRUE(find_command(command)) << command;
    }
    EXPECT_FALSE(find_command("no-such-command-here"));
    EXPECT_FALSE(find_command("/etc/passwd")) << "it may not be run";
}

class ExecHandler : public testing::TestWithParam<Row> {
protected:
    static void SetUpTestSuite() { ::signal(SIGPIPE, SIG_IGN); }
};

TEST_P(ExecHandler, MakesAnOutcomeOfACommand) {
    const client::Job job(*json::parse(R"({"id":"j1","variables":{"n":1}})"));
    EXPECT_EQ(text_of(run_command(GetParam().command, job)), GetParam().outcome);
}

INSTANTIATE_TEST_SUITE_P(
    , ExecHandler,
    testing::Values(
        Row{"Silence", "true", "completed {}"},
        Row{"Variables", R"(echo ' {"total": 5} ')", R"(completed {"total":5})"},
        Row{"JobOnInput", "cat", R"(completed {"id":"j1","variables":{"n":1}})"},
        Row{"ExitCode", "exit 3", "failed The command ended with exit code 3."},
        Row{"ErrorText", "echo no stock >&2; exit 1",
            "failed The command ended with exit code 1: no stock"},
        Row{"OutputOfAFailure", R"(echo '{"x":1}'; exit 1)",
            "failed The command ended with exit code 1."},
        Row{"NotRetryable", "echo bad card >&2; exit 100",
            "given up The command ended with exit code 100: bad card"},
        Row{"Signal", "kill -KILL $$", "failed The command was ended by signal 9."},
        Row{"NoCommand", "exec /nonexistent 2>/dev/null",
            "failed The command ended with exit code 127."},
        Row{"BytesThatAreNoUtf8", R"(printf 'a\377b' >&2; exit 1)",
            "failed The command ended with exit code 1: a?b"},
        Row{"NoObject", "echo 5",
            "failed Expected a JSON object on the command's standard output, but it is another "
            "value."}),
    [](const auto& row) { return row.param.name; });

class ExecHandlerOutput : public testing::Test {
protected:
    static void SetUpTestSuite() { ::signal(SIGPIPE, SIG_IGN); }
};

TEST_F(ExecHandlerOutput, CommandKnowsItsJobFromTheEnvironment) {
    ::setenv("MILLRACE_ATTEMPT", "ours", 1);
    const client::Job job(*json::parse(
        R"({"id":"j1","jobType":"pay","instanceId":"i1","stepId":"s","attempt":3,
            "idempotencyKey":"k","retriesRemaining":2})"));
    const std::string command =
        R"(printf '{"a":"%s %s %s %s %s %s %s"}' "$MILLRACE_JOB_ID" "$MILLRACE_JOB_TYPE" )"
        R"("$MILLRACE_INSTANCE_ID" "$MILLRACE_STEP_ID" "$MILLRACE_ATTEMPT" )"
        R"("$MILLRACE_IDEMPOTENCY_KEY" "$MILLRACE_RETRIES_REMAINING")";
    EXPECT_EQ(text_of(run_command(command, job)), R"(completed {"a":"j1 pay i1 s 3 k 2"})");
    const client::Job old(*json::parse(R"({"id":"j1","leaseToken":4})"));
    EXPECT_EQ(text_of(run_command(command, old)), R"(completed {"a":"j1    4 j1 0"})");
    ::unsetenv("MILLRACE_ATTEMPT");
}

TEST_F(ExecHandlerOutput, CommandGoesOnWithTheTraceOfItsJob) {
    const client::Job job(*json::parse(R"({"id":"j1","traceparent":"00-ab-cd-01"})"));
    EXPECT_EQ(text_of(run_command(R"(printf '{"a":"%s"}' "$TRACEPARENT")", job)),
              R"(completed {"a":"00-ab-cd-01"})");
}

TEST_F(ExecHandlerOutput, CommandAsksAboutTheWorkspaceOfItsJob) {
    const client::Job job(*json::parse(R"({"id":"j1","workspaceId":"acme"})"));
    EXPECT_EQ(text_of(run_command(R"(printf '{"a":"%s"}' "$MILLRACE_WORKSPACE")", job)),
              R"(completed {"a":"acme"})");
}

TEST_F(ExecHandlerOutput, EndOfTheContextEndsTheCommand) {
    client::testing::FakeJobContext context;
    context.end(client::StopCause::lease_lost);
    const client::Outcome outcome = run_for_job("sleep 1000", client::Job(), context);
    EXPECT_EQ(text_of(outcome), "failed The command was ended by signal 15.");
}

TEST_F(ExecHandlerOutput, TextThatIsNoJsonFailsTheJob) {
    const client::Outcome outcome = run_command("echo hello", client::Job());
    const auto* failed = std::get_if<client::Failed>(&outcome);
    ASSERT_NE(failed, nullptr);
    EXPECT_TRUE(failed->retryable);
}

}  // namespace
}  // namespace millrace::cli
