#include "cli/cancel_execution.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_execution.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const CancelExecution& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<client::Execution> answer = client.cancel_execution(command.cancel);
    if (!answer) return fail(context, answer.error());
    show_execution(context, *answer);
    return succeeded;
}

}  // namespace millrace::cli
