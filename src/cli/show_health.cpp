#include "cli/show_health.hpp"

#include "cli/document_fields.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"

namespace millrace::cli {
namespace {

void print_findings(const Context& context, const json::Value& document) {
    Rows rows{{"", "CHECK", "FINDING"}};
    for (const json::Value& each : items_of(document, "findings")) {
        rows.push_back(
            {text_of(each, "severity"), text_of(each, "check"), text_of(each, "finding")});
        const std::string advice = text_of(each, "advice");
        if (!advice.empty()) rows.push_back({"", "", "→ " + advice});
    }
    print_table(context.console, rows);
}

}  // namespace

int execute(const ShowHealth& command, const Context& context) {
    const Result<json::Value> document = context.local.examine(command.store);
    if (!document) return fail_on_store(context, document.error());
    if (!print_document(context, *document)) print_findings(context, *document);
    if (integer_of(*document, "problems") > 0) return refused;
    return command.is_strict && integer_of(*document, "warnings") > 0 ? attention : succeeded;
}

}  // namespace millrace::cli
