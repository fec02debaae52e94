#include "cli/create_key.hpp"

#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

void print_key(const Context& context, const client::ApiKey& key) {
    if (print_document(context, key.json())) return;
    const std::string workspace(key.workspace());
    print_facts(context.console, {{"id", std::string(key.id())},
                                  {"name", std::string(key.name())},
                                  {"role", std::string(key.role())},
                                  {"workspace", workspace.empty() ? "(all)" : workspace},
                                  {"expires", std::string(key.expires_at())},
                                  {"key", std::string(key.key())}});
}

int show_key(const Context& context, const client::ApiKey& key) {
    print_key(context, key);
    context.console.out.flush();
    if (!context.console.out) {
        return fail(context, refused,
                    "The key " + std::string(key.id()) +
                        " was created and is lost, for standard output could not be written. "
                        "Revoke it and create another.");
    }
    if (context.output == OutputFormat::table) {
        context.console.err << "Keep the key now: it is not shown again.\n";
    }
    return succeeded;
}

int create_in_store(const CreateKey& command, const Context& context) {
    if (!context.local.keys.create) {
        return fail(context, misused,
                    "This program cannot open a store itself: create the key through a server.");
    }
    const std::string store =
        command.store.empty() ? "sqlite:" + command.data_directory + "/millrace.db" : command.store;
    const Result<json::Value> made =
        context.local.keys.create({.store = store,
                                   .name = command.name,
                                   .role = command.role,
                                   .workspace = command.workspace,
                                   .expires_at = command.expires_at,
                                   .may_make_store = command.may_make_store});
    if (!made) return fail_on_store(context, made.error());
    return show_key(context, client::ApiKey(*made));
}

// --workspace says where commands act. A key that somebody meant for one workspace must not open
// all.
bool is_ambiguous(const CreateKey& command, const Context& context) {
    return !command.workspace && !context.server.workspace.empty();
}

int refuse_ambiguous(const Context& context) {
    return fail(context, misused,
                "Say --for-workspace " + context.server.workspace +
                    " for a key of that workspace alone. For a key of all workspaces, leave out "
                    "--workspace and unset MILLRACE_WORKSPACE.");
}

}  // namespace

int execute(const CreateKey& command, const Context& context) {
    if (is_ambiguous(command, context)) return refuse_ambiguous(context);
    if (!command.store.empty() || !command.data_directory.empty()) {
        return create_in_store(command, context);
    }
    if (command.may_make_store) {
        return fail(context, misused, "--new needs --data-dir DIR or --store STORE.");
    }
    client::Client client(context.server);
    const client::Result<client::ApiKey> key =
        client.create_key({.name = command.name,
                           .role = command.role,
                           .workspace = command.workspace,
                           .expires_at = command.expires_at});
    if (!key) return fail(context, key.error());
    return show_key(context, *key);
}

}  // namespace millrace::cli
