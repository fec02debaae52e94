#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace millrace::cli {

// What a command may write; the rest is read and dropped, so that it never blocks on us.
inline constexpr std::size_t kOutputBytesMax = std::size_t{16} << 20;
inline constexpr std::size_t kErrorTailBytesMax = 2000;

// Between SIGTERM and SIGKILL for a command that shall end.
inline constexpr std::chrono::seconds kEndingGrace{4};

struct ChildResult {
    int exit_code = 0;
    // Which signal ended it; 0 when it ended by itself.
    int signal = 0;
    std::string output{};
    bool output_cut = false;
    // The end of its standard error.
    std::string error_tail{};
};

// Added to our own environment for a command: NAME=VALUE.
using Variables = std::vector<std::string>;

// Runs a shell command to its end, feeding its standard input and reading both its outputs at the
// same time. It runs in a process group of its own, so that Ctrl-C for us does not reach it.
// SIGPIPE must be ignored. A request to stop ends it, and what it has started, by SIGTERM and then
// by SIGKILL. unavailable when it could not be started.
Result<ChildResult> run_child(const std::string& command, const std::string& input,
                              const Variables& variables = {}, const std::stop_token& stop = {});

}  // namespace millrace::cli
