#pragma once

#include <string>

#include "cli/context.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

// The workspace for a route that names it: that of --workspace, else that of the key, else
// "default".
client::Result<std::string> caller_workspace(client::Client& client, const Context& context);

// For routes about workspaces, whose paths say which: another one in MILLRACE_WORKSPACE would only
// be in the way.
client::ClientOptions without_workspace(const Context& context);

}  // namespace millrace::cli
