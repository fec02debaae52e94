#include "cli/list_dead_letters.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/show_execution.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const ListDeadLetters& command, const Context& context) {
    client::Client client(context.server);
    const auto dead_letters =
        collect<client::Execution>(context, command.limit, [&](const client::Paging& paging) {
            return client.list_dead_letters({.filter = command.filter, .paging = paging});
        });
    if (!dead_letters) return fail(context, dead_letters.error());
    if (!print_list(context, dead_letters->items, dead_letters->total)) {
        print_table(context.console, execution_rows(dead_letters->items));
    }
    return succeeded;
}

}  // namespace millrace::cli
