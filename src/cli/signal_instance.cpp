#include "cli/signal_instance.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_instance.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const SignalInstance& command, const Context& context) {
    const Result<json::Value> variables = read_variables(command.variables, context.console);
    if (!variables) return fail(context, misused, variables.error().detail);
    client::Client client(context.server);
    const client::Status status = client.signal({.instance_id = command.id,
                                                 .step_id = command.step_id,
                                                 .variables = *variables,
                                                 .idempotency_key = command.idempotency_key});
    if (!status) return fail(context, status.error());
    const client::Result<client::Instance> instance = client.get_instance(command.id);
    if (!instance) return fail(context, instance.error());
    show_instance(context, *instance);
    return succeeded;
}

}  // namespace millrace::cli
