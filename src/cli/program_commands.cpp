#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"

namespace millrace::cli {

void add_program_commands(CLI::App& app, Invocation& invocation) {
    auto [bench, run] = add_command<RunBench>(
        app, invocation, "bench", "Measure how fast a server runs workflows of one step");
    expect_whole_number(bench->add_option("--instances", run->instances, "How many to run"), 1,
                        10'000'000)
        ->capture_default_str();
    expect_whole_number(bench->add_option("--clients", run->clients, "Starts at the same time"), 1,
                        1000)
        ->capture_default_str();
    expect_whole_number(bench->add_option("--workers", run->workers, "Jobs at the same time"), 1,
                        1000)
        ->capture_default_str();

    auto [completion, printed] = add_command<PrintCompletion>(
        app, invocation, "completion", "Print a script that completes commands in a shell");
    expect_one_of(completion->add_option("SHELL", printed->shell, "bash, zsh or fish"),
                  {"bash", "zsh", "fish"})
        ->required();

    add_command<ShowVersion>(app, invocation, "version", "Print the version of this program");
}

}  // namespace millrace::cli
