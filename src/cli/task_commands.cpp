#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"

namespace millrace::cli {
namespace {

void add_list(CLI::App& group, Invocation& invocation) {
    auto [list, listed] =
        add_command<ListTasks>(group, invocation, "list", "List user tasks, newest first");
    expect_one_of(list->add_option("--status", listed->query.status,
                                   "OPEN (the default), COMPLETED, CANCELLED or ALL"),
                  {"OPEN", "COMPLETED", "CANCELLED", "ALL"});
    list->add_option("--instance", listed->query.instance_id, "Of this instance");
    list->add_option("--definition", listed->query.definition_id, "Of this definition");
    list->add_option("--step", listed->query.step_id, "Of this step");
    list->add_option("--assignee", listed->query.assignee, "Of this user");
    list->add_option("--group", listed->query.group, "For this candidate group");
    list->add_flag("--unassigned", listed->query.unassigned, "Of nobody yet");
    add_limit(*list, listed->limit);
}

}  // namespace

void add_task_commands(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "tasks", "List, claim and complete user tasks");
    add_list(group, invocation);

    auto [get, got] = add_command<GetTask>(group, invocation, "get", "Show a user task");
    get->add_option("ID", got->id, "Id of the task")->required();

    auto [claim, claimed] =
        add_command<ClaimTask>(group, invocation, "claim", "Take a task for a user");
    claim->add_option("ID", claimed->id, "Id of the task")->required();
    claim->add_option("--user", claimed->user_id, "Who takes it")->required();

    auto [unclaim, unclaimed] =
        add_command<UnclaimTask>(group, invocation, "unclaim", "Give a task back");
    unclaim->add_option("ID", unclaimed->id, "Id of the task")->required();
    unclaim->add_option("--user", unclaimed->user_id, "Only if this user has it");

    auto [assign, assigned] = add_command<AssignTask>(group, invocation, "assign",
                                                      "Give a task to a user, whoever has it");
    assign->add_option("ID", assigned->id, "Id of the task")->required();
    assign->add_option("USER", assigned->assignee, "Who shall do it")->required();

    auto [complete, completed] =
        add_command<CompleteTask>(group, invocation, "complete", "Complete a user task");
    complete->add_option("ID", completed->id, "Id of the task")->required();
    complete->add_option("--user", completed->user_id, "Who has done it");
    add_variables(*complete, completed->variables);
    add_idempotency_key(*complete, completed->idempotency_key);
}

}  // namespace millrace::cli
