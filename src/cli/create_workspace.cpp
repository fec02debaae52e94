#include "cli/create_workspace.hpp"

#include "cli/caller_workspace.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_workspace.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const CreateWorkspace& command, const Context& context) {
    client::Client client(without_workspace(context));
    const client::Result<client::Workspace> answer =
        client.create_workspace(command.id, command.settings);
    if (!answer && answer.error().code == "conflict") {
        return fail(context, answer.error(),
                    "Change it with 'millrace workspaces update " + command.id +
                        "', or choose another id.");
    }
    if (!answer) return fail(context, answer.error());
    show_workspace(context, *answer);
    return succeeded;
}

}  // namespace millrace::cli
