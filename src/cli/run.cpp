#include "cli/run.hpp"

#include <ostream>

#include "cli/command_line.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/terminal_text.hpp"

namespace millrace::cli {

namespace {

// Whoever reads the output, or keeps it in a file, must not take a part of it for the whole.
int with_output_checked(const Context& context, int exit_code) {
    context.console.out.flush();
    if (context.console.out || (exit_code != succeeded && exit_code != attention)) return exit_code;
    return fail(context, refused,
                "Standard output could not be written, so that some of what belongs there is lost. "
                "The command itself has been carried out.");
}

}  // namespace

int run(std::span<const std::string> arguments, const Local& local, Console given) {
    TerminalStream out(given.out, {.colours = given.is_coloured});
    TerminalStream err(given.err, {.progress = given.err_is_terminal});
    err.tie(&out);  // Where both go to one place, they stand there in the order of writing.
    Console console{given.in,         out, err, given.in_is_terminal, given.err_is_terminal,
                    given.is_coloured};
    const CommandLine line = parse_command_line(arguments);
    if (const NothingToRun* nothing = std::get_if<NothingToRun>(&line)) {
        const Context context{.console = console, .output = nothing->output, .local = local};
        if (nothing->exit_code != succeeded) {
            return fail(context, nothing->exit_code, nothing->text);
        }
        console.out << nothing->text;
        return with_output_checked(context, succeeded);
    }
    const Invocation& invocation = std::get<Invocation>(line);
    const Context context{.console = console,
                          .server = {.server = invocation.server,
                                     .api_key = invocation.api_key,
                                     .workspace = invocation.workspace,
                                     .ca_file = invocation.ca_file},
                          .server_is_named = invocation.server_is_named,
                          .output = invocation.output,
                          .local = local};
    const int exit_code = std::visit([&](const auto& command) { return execute(command, context); },
                                     invocation.command);
    return with_output_checked(context, exit_code);
}

}  // namespace millrace::cli
