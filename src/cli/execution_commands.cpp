#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/command_groups.hpp"
#include "cli/duration_option.hpp"
#include "cli/execution_options.hpp"

namespace millrace::cli {
namespace {

void add_wait(CLI::App& command, WaitArguments& wait) {
    CLI::Option* wanted = command.add_flag("--wait", wait.is_wanted, "Wait until it is over");
    add_duration(command, "--timeout", wait.timeout_seconds, "Give up waiting after so long")
        ->needs(wanted);
}

// One command for one execution, and for a file of them.
void add_enqueue(CLI::App& group, Invocation& invocation) {
    auto one = std::make_shared<EnqueueExecution>();
    auto many = std::make_shared<EnqueueExecutions>();
    CLI::App* command =
        group.add_subcommand("enqueue", "Put an execution in line, or those of a file");
    command->add_option("DEFINITION", one->enqueue.definition_id, "Id of the definition");
    add_variables(*command, one->input);
    add_definition_version(*command, one->enqueue.definition_version);
    expect_whole_number(
        command->add_option("--priority", one->enqueue.priority, "0 to 9; 9 is first in line"), 0,
        9);
    expect_time(command->add_option("--not-before", one->enqueue.not_before,
                                    "It waits until then (RFC 3339)"));
    expect_time(command->add_option("--deadline", one->enqueue.deadline,
                                    "It starts until then, or fails (RFC 3339)"));
    command->add_option("--concurrency-key", one->enqueue.concurrency_key,
                        "Few with the same key run at once");
    add_idempotency_key(*command, one->enqueue.idempotency_key);
    add_wait(*command, one->wait);
    const std::vector<CLI::Option*> of_one = command->get_options();
    command->add_option("--batch", many->file,
                        "JSON file with several, - for standard input; instead of all the others");
    command->fallthrough()->callback([&invocation, one, many, of_one] {
        const bool has_one = std::ranges::any_of(
            of_one, [](const CLI::Option* option) { return option->count() > 0; });
        if (many->file.empty() ? one->enqueue.definition_id.empty() : has_one) {
            throw CLI::ValidationError("enqueue",
                                       "Name a DEFINITION, or a file by --batch and nothing else");
        }
        if (many->file.empty()) {
            invocation.command = *one;
        } else {
            invocation.command = *many;
        }
    });
}

void add_execution_changes(CLI::App& group, Invocation& invocation) {
    auto [cancel, cancelled] = add_command<CancelExecution>(group, invocation, "cancel",
                                                            "Cancel an execution that is not over");
    cancel->add_option("ID", cancelled->cancel.id, "Id of the execution")->required();
    cancel->add_option("--reason", cancelled->cancel.reason, "Kept in the audit log");
    cancel->add_flag("--force", cancelled->cancel.force,
                     "Terminate a run elsewhere, instead of asking it to stop");

    auto [retry, retried] =
        add_command<RetryExecution>(group, invocation, "retry", "Do a failed execution again");
    retry->add_option("ID", retried->retry.id, "Id of the execution")->required();
    retry->add_flag("--resume", retried->retry.resume,
                    "Go on where it failed, instead of from the start");
    add_idempotency_key(*retry, retried->retry.idempotency_key);

    auto [complete, completed] = add_command<CompleteExecution>(
        group, invocation, "complete", "Report the end of a run elsewhere");
    client::CompleteExecution& completion = completed->completion;
    complete->add_option("ID", completion.id, "Id of the execution")->required();
    expect_one_of(
        complete->add_option("--status", completion.status, "COMPLETED, FAILED or CANCELLED"),
        {"COMPLETED", "FAILED", "CANCELLED"})
        ->capture_default_str();
    complete->add_option("--result", completed->result,
                         "JSON that it has left: as text, @FILE, or - for standard input");
    expect_one_of(complete->add_option("--reason", completion.reason,
                                       "WORKFLOW_FAILED, TIMED_OUT or TERMINATED"),
                  {"WORKFLOW_FAILED", "TIMED_OUT", "TERMINATED"});
    complete->add_option("--message", completion.message, "What went wrong");
    complete->add_option("--run-id", completion.run_id, "Its name where it ran");
}

}  // namespace

void add_execution_commands(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "executions", "Runs that wait for their turn in a queue");
    add_enqueue(group, invocation);

    auto [list, listed] =
        add_command<ListExecutions>(group, invocation, "list", "List executions, newest first");
    CLI::Option* status =
        list->add_option("--status", listed->filter.statuses,
                         "PENDING, RUNNING, COMPLETED, FAILED or CANCELLED; may be given several "
                         "times");
    expect_one_of(status, {"PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"})
        ->delimiter(',')
        ->allow_extra_args(false);
    CLI::Option* queue_status =
        list->add_option("--queue-status", listed->filter.queue_statuses,
                         "The same, with CLAIMED and DISPATCHED instead of RUNNING");
    expect_one_of(queue_status,
                  {"PENDING", "CLAIMED", "DISPATCHED", "COMPLETED", "FAILED", "CANCELLED"})
        ->delimiter(',')
        ->allow_extra_args(false);
    add_execution_filter(*list, listed->filter);
    add_limit(*list, listed->limit);

    auto [get, got] = add_command<GetExecution>(group, invocation, "get", "Show an execution");
    get->add_option("ID", got->id, "Id of the execution")->required();
    add_wait(*get, got->wait);

    add_execution_changes(group, invocation);
}

}  // namespace millrace::cli
