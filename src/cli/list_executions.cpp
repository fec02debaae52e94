#include "cli/list_executions.hpp"

#include "cli/caller_workspace.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/show_execution.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const ListExecutions& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<std::string> workspace = caller_workspace(client, context);
    if (!workspace) return fail(context, workspace.error());
    const auto executions =
        collect<client::Execution>(context, command.limit, [&](const client::Paging& paging) {
            return client.list_executions(*workspace, {.filter = command.filter, .paging = paging});
        });
    if (!executions) return fail(context, executions.error());
    if (!print_list(context, executions->items, executions->total)) {
        print_table(context.console, execution_rows(executions->items));
    }
    return succeeded;
}

}  // namespace millrace::cli
