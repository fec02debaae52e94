#include "cli/show_migrations.hpp"

#include "cli/failure.hpp"
#include "cli/print_migrations.hpp"

namespace millrace::cli {

int execute(const ShowMigrations& command, const Context& context) {
    const Result<json::Value> document = context.local.migrations.status(command.store);
    if (!document) return fail_on_store(context, document.error());
    return print_migrations(context, *document);
}

}  // namespace millrace::cli
