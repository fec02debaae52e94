#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"

namespace millrace::cli {

void add_program_commands(CLI::App& app, Invocation& invocation) {
    auto [bench, run] = add_command<RunBench>(
        app, invocation, "bench", "Measure how fast a server runs workflows of one step");
    bench->add_option("--instances", run->instances, "How many to run")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    bench->add_option("--clients", run->clients, "Starts at the same time")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    bench->add_option("--workers", run->workers, "Jobs at the same time")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();

    auto [completion, printed] = add_command<PrintCompletion>(
        app, invocation, "completion", "Print a script that completes commands in a shell");
    completion->add_option("SHELL", printed->shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));

    add_command<ShowVersion>(app, invocation, "version", "Print the version of this program");
}

}  // namespace millrace::cli
