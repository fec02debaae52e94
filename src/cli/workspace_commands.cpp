#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"

namespace millrace::cli {
namespace {

// What the server calls a limit.
std::string field_of(const std::string& option) {
    if (option == "max-active") return "maxActive";
    if (option == "max-per-key") return "maxPerKey";
    return option == "rate" ? "ratePerSecond" : "maxAttempts";
}

void add_settings(CLI::App& command, client::WorkspaceSettings& settings) {
    command.add_option("--name", settings.name, "For people");
    command.add_option("--plan", settings.plan, "One of the server's plans, such as FREE or PRO");
    expect_whole_number(
        command.add_option("--max-active", settings.max_active,
                           "Executions with a slot at once, instead of the plan's number"),
        0);
    expect_whole_number(command.add_option("--max-per-key", settings.max_per_key,
                                           "Those with the same concurrency key at once"),
                        1);
    expect_number_above_zero(
        command.add_option("--rate", settings.rate_per_second,
                           "Executions that are let in per second, instead of the plan's number"));
    expect_whole_number(command.add_option("--max-attempts", settings.max_attempts,
                                           "Starts that may fail before an execution does"),
                        1);
    expect_whole_number(command.add_option("--weight", settings.weight,
                                           "Share where workspaces compete, 1 to 1000"),
                        1, 1000);
}

void add_create(CLI::App& group, Invocation& invocation) {
    auto [command, created] =
        add_command<CreateWorkspace>(group, invocation, "create", "Make a workspace");
    command->add_option("ID", created->id, "Lower-case letters, digits and dashes")->required();
    add_settings(*command, created->settings);
    command->add_flag_callback(
        "--paused", [settings = created] { settings->settings.paused = true; },
        "Accept executions, let none in");
}

void add_update(CLI::App& group, Invocation& invocation) {
    auto updated = std::make_shared<UpdateWorkspace>();
    CLI::App* command =
        group.add_subcommand("update", "Change settings of a workspace; the others stay");
    command->add_option("ID", updated->id, "Id of the workspace")->required();
    add_settings(*command, updated->change);
    CLI::Option* unset =
        command->add_option("--unset", updated->change.unset,
                            "max-active, max-per-key, rate or max-attempts: that of the plan or "
                            "the server again; may be given several times");
    expect_one_of(unset, {"max-active", "max-per-key", "rate", "max-attempts"})
        ->delimiter(',')
        ->allow_extra_args(false);
    CLI::Option* pause = command->add_flag_callback(
        "--pause", [updated] { updated->change.paused = true; }, "Let no executions in");
    command
        ->add_flag_callback(
            "--resume", [updated] { updated->change.paused = false; }, "Let executions in again")
        ->excludes(pause);
    command->fallthrough()->callback([&invocation, updated] {
        if (updated->change == client::WorkspaceSettings{}) {
            throw CLI::ValidationError("update", "Say what to change, such as --plan PRO");
        }
        for (std::string& name : updated->change.unset) name = field_of(name);
        invocation.command = *updated;
    });
}

}  // namespace

void add_workspace_commands(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "workspaces", "Make and change tenants of the queue");
    auto [list, listed] =
        add_command<ListWorkspaces>(group, invocation, "list", "List workspaces by id");
    add_limit(*list, listed->limit);

    auto [get, got] = add_command<GetWorkspace>(group, invocation, "get", "Show a workspace");
    get->add_option("ID", got->id, "Id of the workspace")->required();

    add_create(group, invocation);
    add_update(group, invocation);

    auto [remove, removed] = add_command<DeleteWorkspace>(
        group, invocation, "delete", "Delete a workspace with its definitions");
    remove->add_option("ID", removed->id, "Id of the workspace")->required();
    remove->add_flag("--force", removed->is_forced, "Cancel first what is open in it");
    remove->add_flag("--yes", removed->is_confirmed, "Do not ask");
}

}  // namespace millrace::cli
