#include "cli/complete_task.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_task.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const CompleteTask& command, const Context& context) {
    const Result<json::Value> variables = read_variables(command.variables, context.console);
    if (!variables) return fail(context, misused, variables.error().detail);
    client::Client client(context.server);
    const client::Status status =
        client.complete_user_task({.task_id = command.id,
                                   .user_id = command.user_id,
                                   .variables = *variables,
                                   .idempotency_key = command.idempotency_key});
    if (!status) return fail(context, status.error());
    const client::Result<client::UserTask> task = client.get_user_task(command.id);
    if (!task) return fail(context, task.error());
    show_task(context, *task);
    return succeeded;
}

}  // namespace millrace::cli
