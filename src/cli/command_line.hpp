#pragma once

#include <span>
#include <string>
#include <variant>

#include "cli/apply_definitions.hpp"
#include "cli/cancel_instance.hpp"
#include "cli/get_history.hpp"
#include "cli/get_instance.hpp"
#include "cli/run_worker.hpp"
#include "cli/show_version.hpp"
#include "cli/start_instance.hpp"
#include "cli/validate_definitions.hpp"

namespace millrace::cli {

using Command = std::variant<ShowVersion, ApplyDefinitions, ValidateDefinitions, StartInstance,
                             GetInstance, GetHistory, CancelInstance, RunWorker>;

struct Invocation {
    std::string server{};
    OutputFormat output = OutputFormat::table;
    Command command{};
};

// Help was asked for, or the command line is wrong: there is only something to say.
struct NothingToRun {
    int exit_code = 0;
    std::string text{};
};

using CommandLine = std::variant<Invocation, NothingToRun>;

// The only place that knows the library for command lines. Reads MILLRACE_SERVER.
CommandLine parse_command_line(std::span<const std::string> arguments);

}  // namespace millrace::cli
