#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

#include "cli/exit_code.hpp"

namespace millrace::cli {
namespace {

constexpr const char* kFooter =
    "\nRun a server: millrace serve (see millrace serve --help)\n"
    "Exit codes: 0 done, 1 refused, 2 wrong usage, 3 no answer from the server";

void add_definitions(CLI::App& app, Invocation& invocation) {
    CLI::App* group = app.add_subcommand("definitions", "Upload and check workflow definitions");
    group->require_subcommand(1)->fallthrough();

    auto apply = std::make_shared<ApplyDefinitions>();
    CLI::App* command = group->add_subcommand("apply", "Upload definitions to the server");
    command->add_option("FILE", apply->files, "JSON files; - reads standard input")->required();
    command->fallthrough()->callback([&invocation, apply] { invocation.command = *apply; });

    auto validate = std::make_shared<ValidateDefinitions>();
    command = group->add_subcommand("validate", "Check definitions without a server");
    command->add_option("FILE", validate->files, "JSON files; - reads standard input")->required();
    command->add_flag("--allow-unknown-fields", validate->allow_unknown_fields,
                      "Accept fields that the format does not know");
    command->fallthrough()->callback([&invocation, validate] { invocation.command = *validate; });
}

void add_start(CLI::App& group, Invocation& invocation) {
    auto start = std::make_shared<StartInstance>();
    CLI::App* command = group.add_subcommand("start", "Start an instance of a definition");
    command->add_option("DEFINITION", start->definition_id, "Id of the definition")->required();
    command->add_option("--definition-version", start->definition_version, "Latest by default")
        ->check(CLI::PositiveNumber);
    command->add_option("--variables", start->variables,
                        "A JSON object: as text, @FILE, or - for standard input");
    command
        ->add_option("--var", start->assignments,
                     "One variable, KEY=VALUE; VALUE is JSON if it reads as such, else text")
        ->allow_extra_args(false);
    command->add_option("--business-key", start->business_key, "Your own name for the instance");
    command->fallthrough()->callback([&invocation, start] { invocation.command = *start; });
}

void add_instances(CLI::App& app, Invocation& invocation) {
    CLI::App* group = app.add_subcommand("instances", "Start, show and cancel workflow instances");
    group->require_subcommand(1)->fallthrough();
    add_start(*group, invocation);

    auto get = std::make_shared<GetInstance>();
    CLI::App* command = group->add_subcommand("get", "Show an instance");
    command->add_option("ID", get->id, "Id of the instance")->required();
    command->fallthrough()->callback([&invocation, get] { invocation.command = *get; });

    auto history = std::make_shared<GetHistory>();
    command = group->add_subcommand("history", "List the steps that an instance has entered");
    command->add_option("ID", history->instance_id, "Id of the instance")->required();
    command->fallthrough()->callback([&invocation, history] { invocation.command = *history; });

    auto cancel = std::make_shared<CancelInstance>();
    command = group->add_subcommand("cancel", "Cancel an instance that has not ended");
    command->add_option("ID", cancel->id, "Id of the instance")->required();
    command->add_option("--reason", cancel->reason, "Kept with the instance");
    command->fallthrough()->callback([&invocation, cancel] { invocation.command = *cancel; });
}

void add_worker(CLI::App& app, Invocation& invocation) {
    auto worker = std::make_shared<RunWorker>();
    CLI::App* command = app.add_subcommand("worker", "Run a command for each job of a type");
    command->add_option("--type", worker->job_types, "Job type; may be given several times")
        ->required()
        ->allow_extra_args(false);
    command
        ->add_option("--exec", worker->command,
                     "Shell command: the job as JSON on its standard input, a JSON object of "
                     "variables on its standard output; exit code 0 completes the job, 100 fails "
                     "it for good, any other fails it for another try")
        ->required();
    command->add_option("--parallel", worker->parallel, "Commands at the same time")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--lease", worker->lease_seconds, "Seconds until others may take the job")
        ->check(CLI::Range(5, 3600))
        ->capture_default_str();
    command->add_option("--worker-id", worker->worker_id, "HOST-PID by default");
    command->fallthrough()->callback([&invocation, worker] { invocation.command = *worker; });
}

void add_globals(CLI::App& app, Invocation& invocation) {
    app.add_option("--server", invocation.server, "Address of the server")
        ->envname("MILLRACE_SERVER")
        ->default_str(invocation.server);
    const std::map<std::string, OutputFormat> formats{{"table", OutputFormat::table},
                                                      {"json", OutputFormat::json}};
    app.add_option("--output", invocation.output, "table or json")
        ->transform(CLI::Transformer(formats).description(""))
        ->default_str("table");
}

NothingToRun explained(const CLI::App& app, const CLI::ParseError& error) {
    std::ostringstream text;
    const bool is_help = app.exit(error, text, text) == 0;
    return {.exit_code = is_help ? succeeded : misused, .text = std::move(text).str()};
}

}  // namespace

CommandLine parse_command_line(std::span<const std::string> arguments) {
    Invocation invocation{.server = client::ClientOptions{}.server};
    CLI::App app("Millrace: durable workflows and queues", "millrace");
    app.require_subcommand(1)->footer(kFooter);
    add_globals(app, invocation);
    add_definitions(app, invocation);
    add_instances(app, invocation);
    add_worker(app, invocation);
    app.add_subcommand("version", "Print the version of this program")
        ->fallthrough()
        ->callback([&invocation] { invocation.command = ShowVersion{}; });

    try {
        // The library wants them in reverse.
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
        return explained(app, error);
    }
    return invocation;
}

}  // namespace millrace::cli
