#include "cli/list_workspaces.hpp"

#include "cli/caller_workspace.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/limit_text.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const ListWorkspaces& command, const Context& context) {
    client::Client client(without_workspace(context));
    const auto workspaces = collect<client::Workspace>(
        context, command.limit,
        [&](const client::Paging& paging) { return client.list_workspaces(paging); });
    if (!workspaces) return fail(context, workspaces.error());
    if (print_list(context, workspaces->items, workspaces->total)) return succeeded;
    Rows rows{{"ID", "NAME", "PLAN", "STATE", "MAX ACTIVE", "RATE", "WEIGHT", "CREATED"}};
    for (const client::Workspace& each : workspaces->items) {
        const client::Document limits = each.limits();
        rows.push_back({std::string(each.id()), std::string(each.name()), std::string(each.plan()),
                        each.is_paused() ? "PAUSED" : "OPEN", limit_text(limits, "maxActive"),
                        limit_text(limits, "ratePerSecond"), std::to_string(each.weight()),
                        std::string(each.created_at())});
    }
    print_table(context.console, rows);
    return succeeded;
}

}  // namespace millrace::cli
