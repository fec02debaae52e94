#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "executor/temporal/temporal_executor.hpp"
#include "support/answer.hpp"

namespace millrace {

using namespace std::chrono_literals;

inline constexpr Duration kPatience = 30s;

// What tools/with_temporal.py has put into our environment; ends the program when it is not there.
std::string environment_of_temporal(const char* name);

TemporalOptions options_of_server();

// An execution that nobody else has.
ExecutionKey new_execution();

StartRun start_of(const ExecutionKey& key, const std::string& workflow_type,
                  const std::string& input = "{}");

RunRef run_of(const ExecutionKey& key, const std::string& run_id = {});

std::unique_ptr<RemoteExecutor> opened(const TemporalOptions& options);

// Calls of an executor that wait.
StartAnswer start(RemoteExecutor& executor, const StartRun& request, Duration timeout = kPatience);
CallResult<RunReport> describe(RemoteExecutor& executor, const ExecutionKey& key,
                               const std::string& run_id = {}, Duration timeout = kPatience);
CallResult<RunReport> await_end(RemoteExecutor& executor, const ExecutionKey& key,
                                const std::string& run_id = {}, Duration timeout = kPatience);
CallResult<bool> cancel(RemoteExecutor& executor, const ExecutionKey& key, bool is_forced,
                        const std::string& run_id = {});

// Asks the server by Temporal's own command line, which takes the arguments behind the first ones.
void run_temporal(const std::string& arguments);

// A test beside a real server.
class TemporalCase : public testing::Test {
protected:
    // Starts a run that the worker of the tests knows, and expects that it is accepted.
    ExecutionKey started(const std::string& workflow_type, const std::string& input = "{}",
                         const ExecutorSpec& spec = {});

    RunReport end_of(const ExecutionKey& key, const std::string& run_id = {});
    RunReport state_of(const ExecutionKey& key, const std::string& run_id = {});

    const std::unique_ptr<RemoteExecutor> executor_ = opened(options_of_server());
    std::string run_id_{};  // Of the last one that was started.
};

}  // namespace millrace
