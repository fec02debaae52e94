#pragma once

#include "cli/context.hpp"
#include "millrace/client/documents.hpp"

namespace millrace::cli {

// Prints an instance in the chosen format: what it is, where it stands, and its variables.
void show_instance(const Context& context, const client::Instance& instance);

}  // namespace millrace::cli
