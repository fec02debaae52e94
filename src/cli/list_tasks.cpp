#include "cli/list_tasks.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const ListTasks& command, const Context& context) {
    client::Client client(context.server);
    const auto tasks =
        collect<client::UserTask>(context, command.limit, [&](const client::Paging& paging) {
            client::ListUserTasks query = command.query;
            query.paging = paging;
            return client.list_user_tasks(query);
        });
    if (!tasks) return fail(context, tasks.error());
    if (print_list(context, tasks->items, tasks->total)) return succeeded;
    Rows rows{{"ID", "NAME", "STATUS", "ASSIGNEE", "INSTANCE", "CREATED"}};
    for (const client::UserTask& task : tasks->items) {
        rows.push_back({std::string(task.id()), std::string(task.name()),
                        std::string(task.status()), std::string(task.assignee()),
                        std::string(task.instance_id()), std::string(task.created_at())});
    }
    print_table(context.console, rows);
    return succeeded;
}

}  // namespace millrace::cli
