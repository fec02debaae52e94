#pragma once

#include "core/definition/draft.hpp"
#include "core/definition/problems.hpp"

namespace millrace::definition {

// Makes one step ready to run. Expressions and durations that cannot be read are left out and told
// to `problems`.
Step compile_step(const Draft& draft, std::size_t position, Problems& problems);

// The same for who runs it. Names that the author left out stay empty: they are the server's.
ExecutorSpec compile_executor(const Draft& draft, Problems& problems);

}  // namespace millrace::definition
