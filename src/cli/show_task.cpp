#include "cli/show_task.hpp"

#include "cli/print_document.hpp"
#include "cli/readable_json.hpp"
#include "cli/table.hpp"

namespace millrace::cli {

void show_task(const Context& context, const client::UserTask& task) {
    if (print_document(context, task.json())) return;
    std::string groups;
    for (const std::string& group : task.candidate_groups()) {
        groups += (groups.empty() ? "" : ", ") + group;
    }
    const auto shown = [](const json::Value& value) {
        return value.is_null() ? std::string() : readable(value);
    };
    print_facts(context.console, {{"id", std::string(task.id())},
                                  {"name", std::string(task.name())},
                                  {"instance", std::string(task.instance_id())},
                                  {"definition", std::string(task.definition_id())},
                                  {"step", std::string(task.step_id())},
                                  {"status", std::string(task.status())},
                                  {"assignee", std::string(task.assignee())},
                                  {"groups", groups},
                                  {"created", std::string(task.created_at())},
                                  {"completed", std::string(task.completed_at())},
                                  {"completed by", std::string(task.completed_by())},
                                  {"form", shown(task.form())},
                                  {"variables", shown(task.variables())}});
}

}  // namespace millrace::cli
