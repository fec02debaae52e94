#pragma once

#include "cli/context.hpp"
#include "cli/table.hpp"
#include "millrace/client/queue_documents.hpp"

namespace millrace::cli {

// Prints an execution in the chosen format: what it is, where it stands, and why it failed.
void show_execution(const Context& context, const client::Execution& execution);

// A heading, and a row for each.
Rows execution_rows(const std::vector<client::Execution>& executions);

}  // namespace millrace::cli
