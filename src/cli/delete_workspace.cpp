#include "cli/delete_workspace.hpp"

#include <ostream>

#include "cli/caller_workspace.hpp"
#include "cli/confirm.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const DeleteWorkspace& command, const Context& context) {
    if (!command.is_confirmed) {
        const std::string what = command.is_forced
                                     ? "Cancel what is open in workspace " + command.id +
                                           ", and delete it with its definitions?"
                                     : "Delete workspace " + command.id + " with its definitions?";
        if (const auto no = declined(context, what)) return *no;
    }
    client::Client client(without_workspace(context));
    const client::Status status = client.delete_workspace(command.id, command.is_forced);
    if (!status) {
        client::Error error = status.error();
        const bool may_help = error.message.find("force=true") != std::string::npos;
        if (may_help) error.message += " On the command line that is --force.";
        return command.id == "default" ? fail(context, error, "") : fail(context, error);
    }
    json::Value document = json::Object{};
    document.set("id", command.id);
    document.set("deleted", true);
    if (!print_document(context, document)) context.console.out << command.id << " is deleted.\n";
    return succeeded;
}

}  // namespace millrace::cli
