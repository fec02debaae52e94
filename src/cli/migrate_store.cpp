#include "cli/migrate_store.hpp"

#include <ostream>

#include "cli/failure.hpp"
#include "cli/print_migrations.hpp"

namespace millrace::cli {

int execute(const MigrateStore& command, const Context& context) {
    const auto tell = [&](std::string_view name) {
        context.console.err << "applied " << name << '\n' << std::flush;
    };
    const Result<json::Value> document = context.local.migrations.up(command.store, tell);
    if (!document) return fail_on_store(context, document.error());
    return print_migrations(context, *document);
}

}  // namespace millrace::cli
