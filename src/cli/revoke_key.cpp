#include "cli/revoke_key.hpp"

#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const RevokeKey& command, const Context& context) {
    client::Client client(context.server);
    const client::Status status = client.revoke_key(command.id);
    if (!status) return fail(context, status.error());
    json::Value document = json::Object{};
    document.set("id", command.id);
    document.set("revoked", true);
    if (!print_document(context, document)) context.console.out << command.id << " is revoked.\n";
    return succeeded;
}

}  // namespace millrace::cli
