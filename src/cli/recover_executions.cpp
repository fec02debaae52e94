#include "cli/recover_executions.hpp"

#include <chrono>
#include <ostream>

#include "cli/caller_workspace.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const RecoverExecutions& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<std::string> workspace = caller_workspace(client, context);
    if (!workspace) return fail(context, workspace.error());
    const auto older_than = std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(command.older_than_seconds));
    const client::Result<std::int64_t> count = client.recover_executions(*workspace, older_than);
    if (!count) return fail(context, count.error());
    json::Value document = json::Object{};
    document.set("recovered", *count);
    if (!print_document(context, document)) context.console.out << *count << " recovered.\n";
    return succeeded;
}

}  // namespace millrace::cli
