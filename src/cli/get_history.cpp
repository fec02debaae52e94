#include "cli/get_history.hpp"

#include <ostream>

#include "base/json/write.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

void print_json(std::ostream& out, const std::vector<client::StepExecution>& history) {
    json::Array items;
    for (const client::StepExecution& execution : history) items.push_back(execution.json());
    json::Value list = json::Object{};
    list.set("items", std::move(items));
    out << json::write(list) << '\n';
}

void print_rows(std::ostream& out, const std::vector<client::StepExecution>& history) {
    std::vector<std::vector<std::string>> rows{
        {"STEP", "TYPE", "ATTEMPT", "STATUS", "STARTED", "ENDED", "REASON"}};
    for (const client::StepExecution& execution : history) {
        rows.push_back({std::string(execution.step_id()), std::string(execution.step_type()),
                        std::to_string(execution.attempt_number()), std::string(execution.status()),
                        std::string(execution.started_at()), std::string(execution.ended_at()),
                        std::string(execution.failure_reason())});
    }
    print_table(out, rows);
}

}  // namespace

int execute(const GetHistory& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<std::vector<client::StepExecution>> history =
        client.get_history(command.instance_id);
    if (!history) return fail(context, history.error());
    if (context.output == OutputFormat::json) {
        print_json(context.console.out, *history);
    } else {
        print_rows(context.console.out, *history);
    }
    return succeeded;
}

}  // namespace millrace::cli
