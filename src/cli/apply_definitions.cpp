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

int apply(client::Client& client, const std::string& file, const Context& context) {
    const Result<json::Value> definition = read_json(context.console, file);
    if (!definition) {
        const bool is_unreadable = definition.error().code == ErrorCode::not_found;
        return fail(context, is_unreadable ? misused : refused, definition.error().detail);
    }
    const client::Result<client::DefinitionSummary> summary = client.upload_definition(*definition);
    if (!summary) {
        client::Error error = summary.error();
        error.message = file + ": " + error.message;
        return fail(context, error);
    }
    if (!print_document(context, summary->json())) {
        context.console.out << summary->id() << " version " << summary->version() << " ("
                            << summary->name() << ")\n";
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
