#include "cli/start_instance.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_instance.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const StartInstance& command, const Context& context) {
    const Result<json::Value> variables = read_variables(command.variables, context.console);
    if (!variables) return fail(context, misused, variables.error().detail);

    client::Client client(context.server);
    const client::Result<client::Instance> instance =
        client.start_instance({.definition_id = command.definition_id,
                               .definition_version = command.definition_version,
                               .variables = *variables,
                               .business_key = command.business_key,
                               .idempotency_key = command.idempotency_key});
    if (!instance) return fail(context, instance.error());
    show_instance(context, *instance);
    return succeeded;
}

}  // namespace millrace::cli
