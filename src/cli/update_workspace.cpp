#include "cli/update_workspace.hpp"

#include "cli/caller_workspace.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_workspace.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const UpdateWorkspace& command, const Context& context) {
    client::Client client(without_workspace(context));
    const client::Result<client::Workspace> answer =
        client.change_workspace(command.id, command.change);
    if (!answer) return fail(context, answer.error());
    show_workspace(context, *answer);
    return succeeded;
}

}  // namespace millrace::cli
