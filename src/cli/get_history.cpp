#include "cli/get_history.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

void print_rows(const Console& console, const std::vector<client::StepExecution>& history) {
    Rows rows{{"STEP", "TYPE", "ATTEMPT", "STATUS", "STARTED", "ENDED", "REASON"}};
    for (const client::StepExecution& execution : history) {
        rows.push_back({std::string(execution.step_id()), std::string(execution.step_type()),
                        std::to_string(execution.attempt_number()), std::string(execution.status()),
                        std::string(execution.started_at()), std::string(execution.ended_at()),
                        std::string(execution.failure_reason())});
    }
    print_table(console, rows);
}

}  // namespace

int execute(const GetHistory& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<std::vector<client::StepExecution>> history =
        client.get_history(command.instance_id);
    if (!history) return fail(context, history.error());
    const auto total = static_cast<std::int64_t>(history->size());
    if (!print_list(context, *history, total)) print_rows(context.console, *history);
    return succeeded;
}

}  // namespace millrace::cli
