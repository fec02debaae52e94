#include "cli/list_definitions.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const ListDefinitions& command, const Context& context) {
    client::Client client(context.server);
    const auto fetch = [&](const client::Paging& paging) {
        if (!command.versions_of.empty()) {
            return client.list_definition_versions(command.versions_of, paging);
        }
        return client.list_definitions({.keyword = command.keyword, .paging = paging});
    };
    const auto found = collect<client::DefinitionSummary>(context, command.limit, fetch);
    if (!found) return fail(context, found.error());
    if (print_list(context, found->items, found->total)) return succeeded;
    Rows rows{{"ID", "VERSION", "NAME", "UPLOADED"}};
    for (const client::DefinitionSummary& each : found->items) {
        rows.push_back({std::string(each.id()), std::to_string(each.version()),
                        std::string(each.name()), std::string(each.uploaded_at())});
    }
    print_table(context.console, rows);
    return succeeded;
}

}  // namespace millrace::cli
