#include "cli/show_instance.hpp"

#include "base/text.hpp"
#include "cli/print_document.hpp"
#include "cli/readable_json.hpp"
#include "cli/table.hpp"

namespace millrace::cli {

void show_instance(const Context& context, const client::Instance& instance) {
    if (print_document(context, instance.json())) return;
    const Rows rows{
        {"id", std::string(instance.id())},
        {"definition", std::string(instance.definition_id()) + " version " +
                           std::to_string(instance.definition_version())},
        {"business key", std::string(instance.business_key())},
        {"status", std::string(instance.status())},
        {"suspended", instance.is_suspended() ? "yes" : ""},
        {"failure", std::string(instance.failure_reason())},
        {"current steps", joined(instance.current_step_ids(), ", ")},
        {"started", std::string(instance.started_at())},
        {"completed", std::string(instance.completed_at())},
        {"variables", readable(instance.variables())},
    };
    print_facts(context.console, rows);
}

}  // namespace millrace::cli
