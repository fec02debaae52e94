#include "cli/get_definition.hpp"

#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/readable_json.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const GetDefinition& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<json::Value> definition =
        client.get_definition(command.id, command.version);
    if (!definition) return fail(context, definition.error());
    if (!print_document(context, *definition)) context.console.out << pretty(*definition);
    return succeeded;
}

}  // namespace millrace::cli
