#include "cli/caller_workspace.hpp"

namespace millrace::cli {

client::Result<std::string> caller_workspace(client::Client& client, const Context& context) {
    if (!context.server.workspace.empty()) return context.server.workspace;
    const client::Result<client::Identity> identity = client.whoami();
    if (!identity) return identity.error();
    const std::string workspace(identity->workspace());
    return workspace.empty() ? "default" : workspace;
}

client::ClientOptions without_workspace(const Context& context) {
    client::ClientOptions options = context.server;
    options.workspace.clear();
    return options;
}

}  // namespace millrace::cli
