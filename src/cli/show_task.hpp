#pragma once

#include "cli/context.hpp"
#include "millrace/client/documents.hpp"

namespace millrace::cli {

// Prints a user task: what it is, whose it is, and what it is about.
void show_task(const Context& context, const client::UserTask& task);

}  // namespace millrace::cli
