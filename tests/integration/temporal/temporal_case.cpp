#include "temporal_case.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>

namespace millrace {

std::string environment_of_temporal(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr) {
        std::fputs("This test needs a Temporal server: run it through tools/with_temporal.py.\n",
                   stderr);
        std::exit(1);
    }
    return value;
}

TemporalOptions options_of_server() {
    return {
        .address = environment_of_temporal("MILLRACE_TEST_TEMPORAL"),
        .task_queue = "millrace-test",
        .identity = "millrace-test",
    };
}

ExecutionKey new_execution() {
    static std::mt19937_64 dice{std::random_device{}()};
    const auto now = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
    return {.id = {Id128::for_instance(now, dice())}, .workspace_id = {"acme"}};
}

StartRun start_of(const ExecutionKey& key, const std::string& workflow_type,
                  const std::string& input) {
    return {
        .execution = key,
        .definition = {.row_id = 1, .id = "ship-order", .version = 3},
        .spec = {.kind = ExecutorKind::temporal, .workflow_type = workflow_type},
        .payload = R"({"executionId":")" + to_string(key.id.value) +
                   R"(","workspaceId":"acme","definitionId":"ship-order","definitionVersion":3,)" +
                   R"("nodeIds":["pick","pack"],"input":)" + input + "}",
        .trace_parent = {},
    };
}

RunRef run_of(const ExecutionKey& key, const std::string& run_id) {
    return {.name_space = {}, .workflow_id = workflow_id(key), .run_id = run_id};
}

std::unique_ptr<RemoteExecutor> opened(const TemporalOptions& options) {
    Result<std::unique_ptr<RemoteExecutor>> executor = open_temporal(options);
    EXPECT_TRUE(executor) << executor.error().detail;
    return std::move(*executor);
}

StartAnswer start(RemoteExecutor& executor, const StartRun& request, Duration timeout) {
    return Answer<StartAnswer>([&](auto done) { executor.start(request, timeout, done); }).get();
}

CallResult<RunReport> describe(RemoteExecutor& executor, const ExecutionKey& key,
                               const std::string& run_id, Duration timeout) {
    return Answer<CallResult<RunReport>>(
               [&](auto done) { executor.describe(key, run_of(key, run_id), timeout, done); })
        .get();
}

CallResult<RunReport> await_end(RemoteExecutor& executor, const ExecutionKey& key,
                                const std::string& run_id, Duration timeout) {
    return Answer<CallResult<RunReport>>(
               [&](auto done) { executor.await_end(key, run_of(key, run_id), timeout, done); })
        .get();
}

CallResult<bool> cancel(RemoteExecutor& executor, const ExecutionKey& key, bool is_forced,
                        const std::string& run_id) {
    return Answer<CallResult<bool>>([&](auto done) {
               executor.cancel(run_of(key, run_id), "enough", is_forced, kPatience, done);
           })
        .get();
}

void run_temporal(const std::string& arguments) {
    const std::string command = environment_of_temporal("MILLRACE_TEST_TEMPORAL_PROGRAM") + " " +
                                arguments + " --address " +
                                environment_of_temporal("MILLRACE_TEST_TEMPORAL") + " >/dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << arguments;
}

ExecutionKey TemporalCase::started(const std::string& workflow_type, const std::string& input,
                                   const ExecutorSpec& spec) {
    StartRun request = start_of(new_execution(), workflow_type, input);
    request.spec = spec;
    request.spec.workflow_type = workflow_type;
    const StartAnswer answer = start(*executor_, request);
    EXPECT_EQ(answer.outcome, StartOutcome::started) << answer.code << " " << answer.message;
    run_id_ = answer.run_id;
    return request.execution;
}

RunReport TemporalCase::end_of(const ExecutionKey& key, const std::string& run_id) {
    const CallResult<RunReport> result = await_end(*executor_, key, run_id);
    EXPECT_TRUE(result.answer) << result.failure.code << " " << result.failure.message;
    return result.answer.value_or(RunReport{});
}

RunReport TemporalCase::state_of(const ExecutionKey& key, const std::string& run_id) {
    const CallResult<RunReport> result = describe(*executor_, key, run_id);
    EXPECT_TRUE(result.answer) << result.failure.code << " " << result.failure.message;
    return result.answer.value_or(RunReport{});
}

}  // namespace millrace
