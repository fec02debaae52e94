#pragma once

#include "base/json/value.hpp"
#include "cli/context.hpp"

namespace millrace::cli {

// Prints the migrations of a store, and tells by the exit code whether some are pending or make it
// useless to this program.
int print_migrations(const Context& context, const json::Value& document);

}  // namespace millrace::cli
