#include "cli/restore.hpp"

#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"

namespace millrace::cli {

int execute(const Restore& command, const Context& context) {
    const Status status = context.local.data.restore(command.file, command.data_directory);
    if (!status) {
        const bool is_missing = status.error().code == ErrorCode::not_found;
        return fail(context, is_missing ? misused : refused, status.error().detail);
    }
    const std::string store = "sqlite:" + command.data_directory + "/millrace.db";
    json::Value document = json::Object{};
    document.set("dataDirectory", command.data_directory);
    document.set("store", store);
    if (!print_document(context, document)) {
        context.console.out << "Restored. Start a server with: millrace serve --store " << store
                            << '\n';
    }
    return succeeded;
}

}  // namespace millrace::cli
