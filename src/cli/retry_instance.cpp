#include "cli/retry_instance.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/show_instance.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const RetryInstance& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<client::Instance> instance = client.retry_instance(command.id);
    if (!instance) return fail(context, instance.error());
    show_instance(context, *instance);
    return succeeded;
}

}  // namespace millrace::cli
