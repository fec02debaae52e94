#pragma once

#include <string_view>

#include "cli/context.hpp"
#include "millrace/client/error.hpp"

namespace millrace::cli {

// Says what went wrong and what to do next, on the error stream, in the chosen format. Returns the
// exit code for it.
int fail(const Context& context, const client::Error& error);

// The same with what to do next in the words of the caller, who knows better than the code does;
// empty when there is nothing to be done.
int fail(const Context& context, const client::Error& error, std::string_view next);

// The same for what never left this process.
int fail(const Context& context, int exit_code, std::string_view message);

// The same for a command that opens a store itself.
int fail_on_store(const Context& context, const Error& error);

}  // namespace millrace::cli
