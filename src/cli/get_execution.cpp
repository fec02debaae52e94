#include "cli/get_execution.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_execution.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const GetExecution& command, const Context& context) {
    client::Client client(context.server);
    if (command.wait.is_wanted) {
        return wait_for_execution(client, context, command.id, command.wait);
    }
    const client::Result<client::Execution> execution = client.get_execution(command.id);
    if (!execution) return fail(context, execution.error());
    show_execution(context, *execution);
    return succeeded;
}

}  // namespace millrace::cli
