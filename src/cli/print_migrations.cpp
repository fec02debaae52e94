#include "cli/print_migrations.hpp"

#include <ostream>

#include "cli/document_fields.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"

namespace millrace::cli {

int print_migrations(const Context& context, const json::Value& document) {
    const std::string problem = text_of(document, "problem");
    const std::int64_t pending = integer_of(document, "pending");
    if (!print_document(context, document)) {
        Rows rows{{"MIGRATION", "STATE", "APPLIED AT"}};
        for (const json::Value& each : items_of(document, "migrations")) {
            rows.push_back(
                {text_of(each, "name"), text_of(each, "state"), text_of(each, "appliedAt")});
        }
        print_table(context.console, rows);
        if (problem.empty() && pending > 0) {
            context.console.err << pending << " pending: apply with 'millrace migrate up'.\n";
        }
    }
    if (!problem.empty()) return fail(context, refused, problem);
    return pending > 0 ? attention : succeeded;
}

}  // namespace millrace::cli
