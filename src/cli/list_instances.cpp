#include "cli/list_instances.hpp"

#include "base/text.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

void print_rows(const Console& console, const std::vector<client::Instance>& instances) {
    Rows rows{{"ID", "DEFINITION", "STATUS", "STEPS", "STARTED", "BUSINESS KEY"}};
    for (const client::Instance& instance : instances) {
        rows.push_back({std::string(instance.id()),
                        std::string(instance.definition_id()) + ":" +
                            std::to_string(instance.definition_version()),
                        std::string(instance.is_suspended() ? "SUSPENDED" : instance.status()),
                        joined(instance.current_step_ids(), ", "),
                        std::string(instance.started_at()), std::string(instance.business_key())});
    }
    print_table(console, rows);
}

}  // namespace

int execute(const ListInstances& command, const Context& context) {
    client::Client client(context.server);
    const auto instances =
        collect<client::Instance>(context, command.limit, [&](const client::Paging& paging) {
            return client.list_instances({.filter = command.filter, .paging = paging});
        });
    if (!instances) return fail(context, instances.error());
    if (!print_list(context, instances->items, instances->total)) {
        print_rows(context.console, instances->items);
    }
    return succeeded;
}

}  // namespace millrace::cli
