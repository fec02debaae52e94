#include "cli/apply_definitions.hpp"

#include <algorithm>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/read_input.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

// Content that was uploaded before is no new version, so another one may be the latest. People who
// mean to go back to it have to be told; whether that can be found out decides nothing.
void tell_what_is_in_force(client::Client& client, const client::DefinitionSummary& applied,
                           const Context& context) {
    const auto versions =
        client.list_definition_versions(std::string(applied.id()), {.page_size = 1});
    if (!versions || versions->items.empty()) return;
    const std::int64_t latest = versions->items.front().version();
    if (latest <= applied.version()) return;
    context.console.err << "This content is version " << applied.version() << " already; version "
                        << latest << " stays the latest, which new instances take. Change the "
                        << "content, its description say, to make a new version of it.\n";
}

int apply(client::Client& client, const std::string& file, const Context& context) {
    const Result<json::Value> definition = read_json(context.console, file);
    if (!definition) return fail(context, misused, definition.error().detail);
    const client::Result<client::DefinitionSummary> summary = client.upload_definition(*definition);
    if (!summary) {
        client::Error error = summary.error();
        error.message = file + ": " + error.message;
        return fail(context, error);
    }
    if (!print_document(context, summary->json())) {
        context.console.out << summary->id() << " version " << summary->version() << " ("
                            << summary->name() << ")\n";
        tell_what_is_in_force(client, *summary, context);
    }
    return succeeded;
}

}  // namespace

int execute(const ApplyDefinitions& command, const Context& context) {
    client::Client client(context.server);
    int exit_code = succeeded;
    for (const std::string& file : command.files) {
        exit_code = std::max(exit_code, apply(client, file, context));
        if (exit_code == no_answer) break;
    }
    return exit_code;
}

}  // namespace millrace::cli
