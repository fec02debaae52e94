#pragma once

#include <memory>
#include <string>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/option_checks.hpp"

namespace CLI {
class App;
}  // namespace CLI

// The commands of the program, group by group. Only these files, those of their options and
// command_line.cpp know the library for command lines.
namespace millrace::cli {

void add_definition_commands(CLI::App& app, Invocation& invocation);
void add_instance_commands(CLI::App& app, Invocation& invocation);
void add_task_commands(CLI::App& app, Invocation& invocation);
void add_job_commands(CLI::App& app, Invocation& invocation);
void add_execution_commands(CLI::App& app, Invocation& invocation);
void add_queue_commands(CLI::App& app, Invocation& invocation);
void add_dead_letter_commands(CLI::App& app, Invocation& invocation);
void add_workspace_commands(CLI::App& app, Invocation& invocation);
void add_administration_commands(CLI::App& app, Invocation& invocation);
void add_store_commands(CLI::App& app, Invocation& invocation);
void add_program_commands(CLI::App& app, Invocation& invocation);

// A group of commands: `millrace instances …`.
template <class App>
App& add_group(App& app, const char* name, const char* description) {
    App* group = app.add_subcommand(name, description);
    group->require_subcommand(1)->fallthrough();
    return *group;
}

// A command and the place for its arguments: what is there after parsing becomes the invocation.
template <class Arguments, class App>
std::pair<App*, std::shared_ptr<Arguments>> add_command(App& group, Invocation& invocation,
                                                        const char* name, const char* description) {
    auto arguments = std::make_shared<Arguments>();
    App* command = group.add_subcommand(name, description);
    command->fallthrough()->callback([&invocation, arguments] { invocation.command = *arguments; });
    return {command, arguments};
}

// Options that several commands have.
template <class App>
void add_limit(App& command, std::int32_t& limit) {
    expect_whole_number(command.add_option("--limit", limit, "How many to show; 0 shows all"), 0)
        ->capture_default_str();
}

template <class App, class Version>
void add_definition_version(App& command, Version& version) {
    expect_whole_number(command.add_option("--definition-version", version, "Latest by default"),
                        1);
}

template <class App>
void add_variables(App& command, VariableArguments& variables) {
    command.add_option(variables.option, variables.variables,
                       "A JSON object: as text, @FILE, or - for standard input");
    command
        .add_option("--var", variables.assignments,
                    "One variable, KEY=VALUE; VALUE is JSON if it reads as such, else text")
        ->allow_extra_args(false);
}

template <class App>
void add_idempotency_key(App& command, std::string& key) {
    command.add_option("--idempotency-key", key,
                       "The same key again does nothing and answers the same");
}

}  // namespace millrace::cli
