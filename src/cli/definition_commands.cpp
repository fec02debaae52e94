#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"

namespace millrace::cli {

void add_definition_commands(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "definitions", "Upload, check and compare definitions");

    auto [apply, applied] = add_command<ApplyDefinitions>(group, invocation, "apply",
                                                          "Upload definitions to the server");
    apply->add_option("FILE", applied->files, "JSON files; - reads standard input")->required();

    auto [validate, validated] = add_command<ValidateDefinitions>(
        group, invocation, "validate", "Check definitions without a server");
    validate->add_option("FILE", validated->files, "JSON files; - reads standard input")
        ->required();
    validate->add_flag("--allow-unknown-fields", validated->allow_unknown_fields,
                       "Accept fields that the format does not know");

    auto [list, listed] =
        add_command<ListDefinitions>(group, invocation, "list", "List definitions");
    list->add_option("--keyword", listed->keyword, "Part of the id or name");
    list->add_option("--versions-of", listed->versions_of, "All versions of this definition");
    add_limit(*list, listed->limit);

    auto [get, got] = add_command<GetDefinition>(group, invocation, "get",
                                                 "Print a definition as its author wrote it");
    get->add_option("ID", got->id, "Id of the definition")->required();
    add_definition_version(*get, got->version);

    auto [diff, differing] = add_command<DiffDefinition>(
        group, invocation, "diff", "Compare files with the latest versions on the server");
    diff->add_option("FILE", differing->files, "JSON files; - reads standard input")->required();
}

}  // namespace millrace::cli
