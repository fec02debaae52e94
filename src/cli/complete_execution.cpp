#include "cli/complete_execution.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/read_input.hpp"
#include "cli/show_execution.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const CompleteExecution& command, const Context& context) {
    client::CompleteExecution completion = command.completion;
    if (!command.result.empty()) {
        const Result<json::Value> result =
            read_json_option(context.console, "--result", command.result);
        if (!result) return fail(context, misused, result.error().detail);
        completion.result = *result;
    }
    client::Client client(context.server);
    const client::Result<client::Execution> execution = client.complete_execution(completion);
    if (!execution) return fail(context, execution.error());
    show_execution(context, *execution);
    return succeeded;
}

}  // namespace millrace::cli
