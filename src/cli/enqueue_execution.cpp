#include "cli/enqueue_execution.hpp"

#include "cli/caller_workspace.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_execution.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const EnqueueExecution& command, const Context& context) {
    const Result<json::Value> input = read_variables(command.input, context.console);
    if (!input) return fail(context, misused, input.error().detail);
    client::Enqueue enqueue = command.enqueue;
    enqueue.input = *input;

    client::Client client(context.server);
    const client::Result<std::string> workspace = caller_workspace(client, context);
    if (!workspace) return fail(context, workspace.error());
    const client::Result<client::Execution> execution = client.enqueue(*workspace, enqueue);
    if (!execution) return fail(context, execution.error());
    if (command.wait.is_wanted) {
        return wait_for_execution(client, context, std::string(execution->id()), command.wait);
    }
    show_execution(context, *execution);
    return succeeded;
}

}  // namespace millrace::cli
