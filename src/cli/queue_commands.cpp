#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"
#include "cli/duration_option.hpp"

namespace millrace::cli {

void add_queue_commands(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "queue", "The lines of workspaces");
    auto [show, shown] = add_command<ShowQueue>(
        group, invocation, "show", "Show how the line of --workspace stands, or those of all");
    add_limit(*show, shown->limit);

    auto [recover, recovered] = add_command<RecoverExecutions>(
        group, invocation, "recover", "Take over executions that were claimed long ago");
    add_duration(*recover, "--older-than", recovered->older_than_seconds,
                 "Claimed longer ago than this, such as 5m")
        ->required();

    auto [explain, explained] =
        add_command<Explain>(app, invocation, "explain", "Tell why something is not running");
    explain
        ->add_option("ID", explained->id,
                     "Of an execution, an instance or a job; or the name of a workspace")
        ->required();
}

}  // namespace millrace::cli
