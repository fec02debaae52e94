#include "cli/list_keys.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const ListKeys& command, const Context& context) {
    client::Client client(context.server);
    const auto keys = collect<client::ApiKey>(
        context, command.limit,
        [&](const client::Paging& paging) { return client.list_keys(paging); });
    if (!keys) return fail(context, keys.error());
    if (print_list(context, keys->items, keys->total)) return succeeded;
    Rows rows{{"ID", "NAME", "ROLE", "WORKSPACE", "CREATED", "EXPIRES", "REVOKED"}};
    for (const client::ApiKey& key : keys->items) {
        const std::string workspace(key.workspace());
        rows.push_back({std::string(key.id()), std::string(key.name()), std::string(key.role()),
                        workspace.empty() ? "(all)" : workspace, std::string(key.created_at()),
                        std::string(key.expires_at()), std::string(key.revoked_at())});
    }
    print_table(context.console, rows);
    return succeeded;
}

}  // namespace millrace::cli
