#pragma once

#include "cli/context.hpp"
#include "millrace/client/queue_documents.hpp"

namespace millrace::cli {

// Prints a workspace in the chosen format: its settings, and what holds in the end.
void show_workspace(const Context& context, const client::Workspace& workspace);

}  // namespace millrace::cli
