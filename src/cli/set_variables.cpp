#include "cli/set_variables.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_instance.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const SetVariables& command, const Context& context) {
    const Result<json::Value> variables = read_variables(command.variables, context.console);
    if (!variables) return fail(context, misused, variables.error().detail);
    const bool is_empty = *variables == json::Value(json::Object{}) && command.remove.empty();
    if (is_empty) {
        return fail(context, misused,
                    "Nothing to set: say what, with --var, --variables or --remove.");
    }
    client::Client client(context.server);
    const client::Result<client::Instance> instance =
        client.set_variables({.instance_id = command.id,
                              .variables = *variables,
                              .remove = command.remove,
                              .expected_version = command.expected_version});
    if (!instance) return fail(context, instance.error());
    show_instance(context, *instance);
    return succeeded;
}

}  // namespace millrace::cli
