#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

#include "cli/command_groups.hpp"
#include "cli/command_tree.hpp"
#include "cli/exit_code.hpp"
#include "cli/not_empty.hpp"

namespace millrace::cli {
namespace {

constexpr const char* kFooter =
    "\nRun a server: millrace serve (see millrace serve --help)\n"
    "Exit codes: 0 done, 1 refused, 2 wrong usage, 3 no answer, 4 something is left to do";

void add_globals(CLI::App& app, Invocation& invocation) {
    app.add_option("--server", invocation.server, "Address of the server")
        ->envname("MILLRACE_SERVER")
        ->default_str(invocation.server);
    app.add_option("--api-key", invocation.api_key, "Who calls")->envname("MILLRACE_API_KEY");
    app.add_option("--workspace", invocation.workspace,
                   "Whose definitions, instances and executions")
        ->envname("MILLRACE_WORKSPACE")
        ->check(not_empty());
    app.add_option("--ca-file", invocation.ca_file,
                   "PEM file with the certificates that vouch for an https server")
        ->envname("MILLRACE_CA_FILE");
    const std::map<std::string, OutputFormat> formats{
        {"table", OutputFormat::table}, {"json", OutputFormat::json}, {"yaml", OutputFormat::yaml}};
    app.add_option("--output", invocation.output, "table, json or yaml")
        ->transform(CLI::Transformer(formats).description(""))
        ->default_str("table");
}

void add_all(CLI::App& app, Invocation& invocation) {
    app.require_subcommand(1)->footer(kFooter);
    add_globals(app, invocation);
    add_definition_commands(app, invocation);
    add_instance_commands(app, invocation);
    add_task_commands(app, invocation);
    add_job_commands(app, invocation);
    add_execution_commands(app, invocation);
    add_queue_commands(app, invocation);
    add_dead_letter_commands(app, invocation);
    add_workspace_commands(app, invocation);
    add_administration_commands(app, invocation);
    add_store_commands(app, invocation);
    add_program_commands(app, invocation);
}

NothingToRun explained(const CLI::App& app, const CLI::ParseError& error) {
    std::ostringstream text;
    const bool is_help = app.exit(error, text, text) == 0;
    return {.exit_code = is_help ? succeeded : misused, .text = std::move(text).str()};
}

std::vector<std::string> options_of(CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    std::erase(names, "--help");
    return names;
}

void add_shapes(CLI::App& app, const std::string& path, std::vector<CommandShape>& shapes) {
    CommandShape shape{.path = path, .description = app.get_description()};
    if (!path.empty()) shape.options = options_of(app);
    const std::vector<CLI::App*> commands = app.get_subcommands({});
    for (const CLI::App* command : commands) shape.commands.push_back(command->get_name());
    shapes.push_back(std::move(shape));
    for (CLI::App* command : commands) {
        add_shapes(*command, (path.empty() ? "" : path + " ") + command->get_name(), shapes);
    }
}

}  // namespace

CommandLine parse_command_line(std::span<const std::string> arguments) {
    Invocation invocation{.server = client::ClientOptions{}.server};
    CLI::App app("Millrace: durable workflows and queues", "millrace");
    add_all(app, invocation);
    try {
        // The library wants them in reverse.
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
        return explained(app, error);
    }
    return invocation;
}

std::vector<CommandShape> command_tree() {
    Invocation unused;
    CLI::App app("Millrace", "millrace");
    add_all(app, unused);
    std::vector<CommandShape> shapes;
    add_shapes(app, "", shapes);
    return shapes;
}

std::vector<std::string> global_options() {
    Invocation unused;
    CLI::App app("Millrace", "millrace");
    add_globals(app, unused);
    std::vector<std::string> names = options_of(app);
    names.emplace_back("--help");
    return names;
}

}  // namespace millrace::cli
