#include "cli/child_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace millrace::cli {
namespace {

class ChildProcess : public testing::Test {
protected:
    static void SetUpTestSuite() { ::signal(SIGPIPE, SIG_IGN); }

    static ChildResult run(const std::string& command, const std::string& input = {}) {
        const Result<ChildResult> result = run_child(command, input);
        return result ? *result : ChildResult{.exit_code = -1};
    }
};

TEST_F(ChildProcess, PassesInputAndOutput) {
    const ChildResult result = run("tr a-z A-Z", "hello");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.output, "HELLO");
    EXPECT_FALSE(result.output_cut);
}

TEST_F(ChildProcess, TellsTheExitCodeAndTheEndOfItsErrors) {
    const ChildResult result = run("echo first >&2; echo last >&2; exit 7");
    EXPECT_EQ(result.exit_code, 7);
    EXPECT_EQ(result.error_tail, "first\nlast\n");
}

TEST_F(ChildProcess, KeepsOnlyTheTailOfLongErrors) {
    const ChildResult result =
        run("i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i+1)); done >&2; exit 1");
    EXPECT_EQ(result.error_tail.size(), kErrorTailBytesMax);
    EXPECT_TRUE(result.error_tail.ends_with("line 499\n"));
}

TEST_F(ChildProcess, TellsTheSignalThatEndedIt) {
    EXPECT_EQ(run("kill -TERM $$").signal, SIGTERM);
}

TEST_F(ChildProcess, MuchTextBothWaysDoesNotBlock) {
    const std::string input(5'000'000, 'x');
    const ChildResult result = run("cat", input);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.output, input);
}

TEST_F(ChildProcess, InputThatNobodyReadsIsDropped) {
    const ChildResult result = run("exec 0<&-; echo done", std::string(5'000'000, 'x'));
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.output, "done\n");
}

TEST_F(ChildProcess, InputIsFedToACommandThatHasClosedItsOutputs) {
    const ChildResult result =
        run("exec 1>&- 2>&-; [ $(wc -c) -eq 5000000 ]", std::string(5'000'000, 'x'));
    EXPECT_EQ(result.exit_code, 0);
}

TEST_F(ChildProcess, EndOfACommandThatReadsNothingIsSeenWhileAnotherHoldsItsInput) {
    const ChildResult result =
        run("exec 1>&- 2>&-; sleep 30 <&0 & exit 3", std::string(5'000'000, 'x'));
    EXPECT_EQ(result.exit_code, 3);
}

TEST_F(ChildProcess, RequestToStopEndsTheCommandAndWhatItStarted) {
    std::stop_source source;
    source.request_stop();
    const Result<ChildResult> result =
        run_child("sleep 1000 | cat", std::string(5'000'000, 'x'), {}, source.get_token());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->signal, SIGTERM);
}

TEST_F(ChildProcess, CommandThatDoesNotHeedTheRequestIsKilled) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    std::stop_source source;
    std::jthread stopper([&] {
        char byte = 0;
        if (::read(ends[0], &byte, 1) == 1) source.request_stop();
    });
    const Result<ChildResult> result = run_child(
        "trap '' TERM; echo x >&" + std::to_string(ends[1]) + "; while true; do sleep 0.1; done",
        "", {}, source.get_token());
    stopper.join();
    for (const int end : ends) ::close(end);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->signal, SIGKILL);
}

TEST_F(ChildProcess, OutputAboveTheLimitIsCutAndRead) {
    const ChildResult result = run("head -c 17000000 /dev/zero");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(result.output_cut);
    EXPECT_EQ(result.output.size(), kOutputBytesMax);
}

TEST_F(ChildProcess, HasAProcessGroupOfItsOwn) {
    const ChildResult result = run("[ $(ps -o pgid= -p $$) -eq $$ ]");
    EXPECT_EQ(result.exit_code, 0);
}

}  // namespace
}  // namespace millrace::cli
