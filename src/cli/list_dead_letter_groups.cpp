#include "cli/list_dead_letter_groups.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const ListDeadLetterGroups& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<std::vector<client::DeadLetterGroup>> groups =
        client.list_dead_letter_groups(command.limit);
    if (!groups) return fail(context, groups.error());
    const auto total = static_cast<std::int64_t>(groups->size());
    if (print_list(context, *groups, total)) return succeeded;
    Rows rows{{"COUNT", "DEFINITION", "REASON", "FIRST", "LAST", "LATEST", "MESSAGE"}};
    for (const client::DeadLetterGroup& group : *groups) {
        rows.push_back({std::to_string(group.count()), std::string(group.definition_id()),
                        std::string(group.reason()), std::string(group.first_at()),
                        std::string(group.last_at()), std::string(group.latest_id()),
                        std::string(group.message())});
    }
    print_table(context.console, rows);
    return succeeded;
}

}  // namespace millrace::cli
