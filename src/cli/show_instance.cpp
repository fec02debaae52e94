#include "cli/show_instance.hpp"

#include <ostream>

#include "base/json/write.hpp"
#include "cli/table.hpp"

namespace millrace::cli {
namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

void show_instance(const Context& context, const client::Instance& instance) {
    if (context.output == OutputFormat::json) {
        context.console.out << json::write(instance.json()) << '\n';
        return;
    }
    const std::vector<std::vector<std::string>> rows{
        {"id", std::string(instance.id())},
        {"definition", std::string(instance.definition_id()) + " version " +
                           std::to_string(instance.definition_version())},
        {"business key", std::string(instance.business_key())},
        {"status", std::string(instance.status())},
        {"failure", std::string(instance.failure_reason())},
        {"current steps", joined(instance.current_step_ids())},
        {"started", std::string(instance.started_at())},
        {"completed", std::string(instance.completed_at())},
        {"variables", json::write(instance.variables())},
    };
    std::vector<std::vector<std::string>> known;
    for (const auto& row : rows) {
        if (!row[1].empty()) known.push_back(row);
    }
    print_table(context.console.out, known);
}

}  // namespace millrace::cli
