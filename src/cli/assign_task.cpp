#include "cli/assign_task.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_task.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const AssignTask& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<client::UserTask> task =
        client.assign_user_task(command.id, command.assignee);
    if (!task) return fail(context, task.error());
    show_task(context, *task);
    return succeeded;
}

}  // namespace millrace::cli
