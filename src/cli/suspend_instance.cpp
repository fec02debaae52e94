#include "cli/suspend_instance.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_instance.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const SuspendInstance& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<client::Instance> instance =
        client.suspend_instance(command.id, command.reason);
    if (!instance) return fail(context, instance.error());
    show_instance(context, *instance);
    return succeeded;
}

}  // namespace millrace::cli
