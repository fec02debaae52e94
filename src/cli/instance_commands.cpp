#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"
#include "cli/not_empty.hpp"

namespace millrace::cli {
namespace {

void add_filter(CLI::App& command, client::InstanceFilter& filter) {
    command.add_option("--definition", filter.definition_id, "Id of their definition")
        ->check(not_empty());
    expect_whole_number(
        command.add_option("--definition-version", filter.definition_version, "Of that version"),
        1);
    CLI::Option* status =
        command.add_option("--status", filter.statuses,
                           "ACTIVE, WAITING, COMPLETED, FAILED or CANCELLED; may be given several "
                           "times");
    expect_one_of(status, {"ACTIVE", "WAITING", "COMPLETED", "FAILED", "CANCELLED"})
        ->delimiter(',')
        ->allow_extra_args(false);
    command.add_option("--business-key", filter.business_key, "With this business key")
        ->check(not_empty());
    expect_time(command.add_option("--started-after", filter.started_after,
                                   "From this time on (RFC 3339)"));
    expect_time(command.add_option("--started-before", filter.started_before,
                                   "Before this time (RFC 3339)"));
    expect_one_of(command.add_option("--suspended", filter.suspended, "true or false"),
                  {"true", "false"});
    command
        .add_option("--text", filter.text,
                    "Part of an id, a business key, a failure or the variables")
        ->check(not_empty());
}

void add_start(CLI::App& group, Invocation& invocation) {
    auto [command, start] =
        add_command<StartInstance>(group, invocation, "start", "Start an instance of a definition");
    command->add_option("DEFINITION", start->definition_id, "Id of the definition")->required();
    add_definition_version(*command, start->definition_version);
    add_variables(*command, start->variables);
    command->add_option("--business-key", start->business_key, "Your own name for the instance");
    add_idempotency_key(*command, start->idempotency_key);
}

// One command for one instance, and for all that match.
void add_cancel(CLI::App& group, Invocation& invocation) {
    auto one = std::make_shared<CancelInstance>();
    auto many = std::make_shared<CancelInstances>();
    CLI::App* command = group.add_subcommand(
        "cancel", "Cancel an instance that has not ended, or all that match a filter");
    command->add_option("ID", one->id, "Id of the instance");
    command->add_option("--reason", one->reason, "Kept with the instance");
    add_filter(*command, many->filter);
    command->add_flag("--dry-run", many->is_dry_run, "Only count what would be cancelled");
    command->add_flag("--yes", many->is_confirmed, "Do not ask");
    expect_whole_number(
        command->add_option("--limit", many->limit, "Cancel at most so many, the oldest; 0 is all"),
        0)
        ->capture_default_str();
    command->fallthrough()->callback([&invocation, one, many] {
        const bool has_filter = many->filter != client::InstanceFilter{};
        if (one->id.empty() == !has_filter) {
            throw CLI::ValidationError("cancel",
                                       "Name one instance by its ID, or many by filters "
                                       "such as --definition");
        }
        many->reason = one->reason;
        if (has_filter) {
            invocation.command = *many;
        } else {
            invocation.command = *one;
        }
    });
}

void add_instance_changes(CLI::App& group, Invocation& invocation) {
    auto [signal, signalled] =
        add_command<SignalInstance>(group, invocation, "signal", "Send what a WAIT step waits for");
    signal->add_option("ID", signalled->id, "Id of the instance")->required();
    signal->add_option("STEP", signalled->step_id, "Id of the WAIT step")->required();
    add_variables(*signal, signalled->variables);
    add_idempotency_key(*signal, signalled->idempotency_key);

    auto [retry, retried] = add_command<RetryInstance>(group, invocation, "retry",
                                                       "Go on from where an instance failed");
    retry->add_option("ID", retried->id, "Id of the instance")->required();

    auto [suspend, suspended] =
        add_command<SuspendInstance>(group, invocation, "suspend", "Let an instance rest");
    suspend->add_option("ID", suspended->id, "Id of the instance")->required();
    suspend->add_option("--reason", suspended->reason, "Kept in the audit log");

    auto [resume, resumed] =
        add_command<ResumeInstance>(group, invocation, "resume", "Let a suspended instance go on");
    resume->add_option("ID", resumed->id, "Id of the instance")->required();

    auto [set, change] =
        add_command<SetVariables>(group, invocation, "set", "Change variables of an instance");
    set->add_option("ID", change->id, "Id of the instance")->required();
    add_variables(*set, change->variables);
    set->add_option("--remove", change->remove, "Name of a variable; may be given several times")
        ->allow_extra_args(false);
    expect_whole_number(set->add_option("--expected-version", change->expected_version,
                                        "Only if variablesVersion is still this"),
                        0, std::numeric_limits<std::int64_t>::max());
}

}  // namespace

void add_instance_commands(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "instances", "Start, watch and change instances");
    add_start(group, invocation);

    auto [get, got] = add_command<GetInstance>(group, invocation, "get", "Show an instance");
    get->add_option("ID", got->id, "Id of the instance")->required();

    auto [list, listed] =
        add_command<ListInstances>(group, invocation, "list", "List instances, newest first");
    add_filter(*list, listed->filter);
    add_limit(*list, listed->limit);

    auto [history, entered] = add_command<GetHistory>(
        group, invocation, "history", "List the steps that an instance has entered");
    history->add_option("ID", entered->instance_id, "Id of the instance")->required();

    auto [events, watched] = add_command<WatchInstance>(
        group, invocation, "events", "Print what happens to an instance until it is over");
    events->add_option("ID", watched->id, "Id of the instance")->required();
    events->add_option("--after", watched->after, "Id of an event; go on after it");

    add_cancel(group, invocation);
    add_instance_changes(group, invocation);
}

}  // namespace millrace::cli
