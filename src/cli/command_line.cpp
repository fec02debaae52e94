#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>

#include <sstream>
#include <string_view>

#include "cli/command_groups.hpp"
#include "cli/command_tree.hpp"
#include "cli/exit_code.hpp"
#include "cli/misuse.hpp"
#include "cli/not_empty.hpp"
#include "cli/option_checks.hpp"

namespace millrace::cli {
namespace {

// Below the help of every command.
constexpr const char* kCommandFooter =
    "\nEvery command has --server, --api-key, --workspace, --ca-file and --output, too: see "
    "millrace --help";

constexpr const char* kFooter =
    "\nRun a server: millrace serve (see millrace serve --help)\n"
    "Exit codes: 0 done, 1 refused, 2 wrong usage, 3 no answer, 4 something is left to do";

OutputFormat format_of(const std::string& name) {
    if (CLI::detail::to_lower(name) == "json") return OutputFormat::json;
    return CLI::detail::to_lower(name) == "yaml" ? OutputFormat::yaml : OutputFormat::table;
}

// How to tell of a command line that was not understood.
OutputFormat output_wanted_by(std::span<const std::string> arguments) {
    constexpr std::string_view kOption = "--output";
    OutputFormat output = OutputFormat::table;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (word == kOption && i + 1 < arguments.size()) output = format_of(arguments[i + 1]);
        if (word.starts_with("--output=")) output = format_of(word.substr(kOption.size() + 1));
    }
    return output;
}

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
    const auto take = [&invocation](const std::string& name) {
        invocation.output = format_of(name);
    };
    expect_one_of(app.add_option_function<std::string>("--output", take, "table, json or yaml"),
                  {"table", "json", "yaml"})
        ->default_str("table");
}

// For `millrace --version` alone: elsewhere somebody means the version of something else, and must
// not take this one for a success.
void add_version_flag(CLI::App& app) {
    app.set_version_flag("--version", version_text, "Print the version of this program");
}

void add_all(CLI::App& app, Invocation& invocation) {
    app.require_subcommand(1)->footer(kCommandFooter);  // Commands take it over.
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
    app.footer(kFooter);
}

// The library wants them in reverse, and knows help as an option.
std::vector<std::string> words_for(std::span<const std::string> arguments) {
    std::vector<std::string> words(arguments.rbegin(), arguments.rend());
    if (!words.empty() && words.back() == "help") {
        words.pop_back();
        words.insert(words.begin(), "--help");
    }
    return words;
}

// What is wrong with `millrace help COMMAND`; empty when nothing is.
std::string wrong_help(CLI::App& app, std::span<const std::string> arguments) {
    if (arguments.empty() || arguments.front() != "help") return {};
    const CLI::App* command = &app;
    for (const std::string& word : arguments.subspan(1)) {
        if (word.starts_with('-')) return {};
        const auto below = command->get_subcommands(
            [&](const CLI::App* each) { return each->get_name() == word; });
        if (below.empty()) return misuse_text(*command, word);
        command = below.front();
    }
    return {};
}

NothingToRun explained(const CLI::App& app, const CLI::ParseError& error) {
    std::ostringstream text;
    if (app.exit(error, text, text) == 0) return {.exit_code = succeeded, .text = text.str()};
    return {.exit_code = misused, .text = misuse_text(app, error)};
}

std::vector<OptionShape> options_of(CLI::App& app) {
    std::vector<OptionShape> options;
    for (CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            if (name == "help") continue;
            options.push_back({.name = "--" + name,
                               .takes_value = option->get_items_expected_max() > 0,
                               .words = words_of(option)});
        }
    }
    return options;
}

void add_shapes(CLI::App& app, const std::string& path, std::vector<CommandShape>& shapes) {
    CommandShape shape{.path = path, .description = app.get_description()};
    if (!path.empty()) shape.options = options_of(app);
    for (CLI::Option* option : app.get_options()) {
        if (!option->get_positional()) continue;
        shape.takes_arguments = true;
        shape.argument_words = words_of(option);
    }
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
    if (arguments.size() <= 1) add_version_flag(app);
    if (const std::string wrong = wrong_help(app, arguments); !wrong.empty()) {
        return NothingToRun{
            .exit_code = misused, .text = wrong, .output = output_wanted_by(arguments)};
    }
    try {
        app.parse(words_for(arguments));
    } catch (const CLI::ParseError& error) {
        NothingToRun nothing = explained(app, error);
        nothing.output = output_wanted_by(arguments);
        return nothing;
    }
    invocation.server_is_named = app.count("--server") + app.count("--api-key") > 0;
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

std::vector<OptionShape> global_options() {
    Invocation unused;
    CLI::App app("Millrace", "millrace");
    add_globals(app, unused);
    add_version_flag(app);
    std::vector<OptionShape> options = options_of(app);
    options.push_back({.name = "--help"});
    return options;
}

}  // namespace millrace::cli
