#pragma once

#include "core/definition/draft.hpp"
#include "core/definition/problems.hpp"

namespace millrace::definition {

// How much memory the expressions of a definition take together, and may take.
struct ExpressionRoom {
    std::size_t bytes_max = 0;
    std::size_t bytes = 0;

    bool is_exceeded() const { return bytes > bytes_max; }
};

// Makes one step ready to run. Expressions and durations that cannot be read, and expressions for
// which there is no room, are left out and told to `problems`.
Step compile_step(const Draft& draft, std::size_t position, ExpressionRoom& room,
                  Problems& problems);

// The same for who runs it. Names that the author left out stay empty: they are the server's.
ExecutorSpec compile_executor(const Draft& draft, Problems& problems);

}  // namespace millrace::definition
