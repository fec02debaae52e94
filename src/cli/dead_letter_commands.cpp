#include <CLI/CLI.hpp>

#include <functional>

#include "cli/command_groups.hpp"
#include "cli/execution_options.hpp"
#include "cli/not_empty.hpp"

namespace millrace::cli {
namespace {

// A command for dead letters that are named, or for all that match. `run_one` takes the id when
// there is one; without it one is as good as many.
CLI::App* add_change(CLI::App& group, const char* name, const char* description,
                     const std::shared_ptr<ChangeDeadLetters>& many,
                     const std::function<void(const std::string& id)>& run_one,
                     Invocation& invocation) {
    CLI::App* command = group.add_subcommand(name, description);
    command->add_option("ID", many->selection.ids, "Ids of executions");
    command->add_option("--definition", many->selection.definition_id, "All of this definition")
        ->check(not_empty());
    command->add_option("--reason", many->selection.reason, "All that failed for this reason")
        ->check(not_empty());
    command->add_flag("--all", many->selection.all, "All of the workspace");
    command->add_flag("--dry-run", many->is_dry_run, "Only count what matches");
    command->add_flag("--yes", many->is_confirmed, "Do not ask");
    expect_whole_number(
        command->add_option("--limit", many->limit, "At most so many, the oldest; 0 is all"), 0)
        ->capture_default_str();
    command->fallthrough()->callback([&invocation, many, run_one, name] {
        const ChangeDeadLetters& change = *many;
        const client::SelectDeadLetters& selection = change.selection;
        const bool has_filter =
            !selection.definition_id.empty() || !selection.reason.empty() || selection.all;
        if (selection.ids.empty() == !has_filter) {
            throw CLI::ValidationError(
                name, "Name dead letters by their IDs, or many by --definition, --reason or --all");
        }
        if (!has_filter && (change.is_dry_run || change.limit != 0)) {
            throw CLI::ValidationError(name, "--dry-run and --limit are for filters, not for IDs");
        }
        const bool is_spread = change.trial || change.rate_per_second;
        if (selection.ids.size() == 1 && run_one && !is_spread) {
            run_one(selection.ids.front());
        } else {
            invocation.command = change;
        }
    });
    return command;
}

void add_redrive(CLI::App& group, Invocation& invocation) {
    auto redriven = std::make_shared<ChangeDeadLetters>();
    redriven->verb = DeadLetterVerb::redrive;
    CLI::App* command = add_change(
        group, "redrive", "Let dead letters run again", redriven,
        [&invocation](const std::string& id) { invocation.command = RedriveDeadLetter{id}; },
        invocation);
    expect_whole_number(command->add_option("--trial", redriven->trial,
                                            "Only the first so many, to see how it goes"),
                        1);
    expect_number_above_zero(
        command->add_option("--rate", redriven->rate_per_second,
                            "Spread them: so many per second; at most 10000 at a time"));
}

}  // namespace

void add_dead_letter_commands(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "dlq", "Dead letters: executions that failed for good");
    auto [list, listed] =
        add_command<ListDeadLetters>(group, invocation, "list", "List dead letters, newest first");
    add_execution_filter(*list, listed->filter);
    add_limit(*list, listed->limit);

    auto [groups, grouped] = add_command<ListDeadLetterGroups>(
        group, invocation, "groups", "Count dead letters that look alike, the most first");
    expect_whole_number(
        groups->add_option("--limit", grouped->limit, "How many to show, up to 500"), 1,
        kPageSizeMax)
        ->capture_default_str();

    auto [get, got] = add_command<GetDeadLetter>(group, invocation, "get", "Show a dead letter");
    get->add_option("ID", got->id, "Id of the execution")->required();

    add_redrive(group, invocation);

    auto dismissed = std::make_shared<ChangeDeadLetters>();
    dismissed->verb = DeadLetterVerb::dismiss;
    add_change(
        group, "dismiss", "Put dead letters away; they stay FAILED", dismissed,
        [&invocation](const std::string& id) { invocation.command = DismissDeadLetter{id}; },
        invocation);

    auto purged = std::make_shared<ChangeDeadLetters>();
    purged->verb = DeadLetterVerb::purge;
    add_change(group, "purge", "Remove dead letters for good", purged, {}, invocation);
}

}  // namespace millrace::cli
