#include "cli/run.hpp"

#include <ostream>

#include "cli/command_line.hpp"
#include "cli/exit_code.hpp"

namespace millrace::cli {

int run(std::span<const std::string> arguments, const Local& local, Console console) {
    const CommandLine line = parse_command_line(arguments);
    if (const NothingToRun* nothing = std::get_if<NothingToRun>(&line)) {
        (nothing->exit_code == succeeded ? console.out : console.err) << nothing->text;
        return nothing->exit_code;
    }
    const Invocation& invocation = std::get<Invocation>(line);
    const Context context{.console = console,
                          .server = {.server = invocation.server,
                                     .api_key = invocation.api_key,
                                     .workspace = invocation.workspace,
                                     .ca_file = invocation.ca_file},
                          .output = invocation.output,
                          .local = local};
    return std::visit([&](const auto& command) { return execute(command, context); },
                      invocation.command);
}

}  // namespace millrace::cli
