#pragma once

#include "core/queue/admission.hpp"
#include "store/sqlite/connection.hpp"

namespace millrace::sqlite {

// Rows of the queue as the statements list their columns. internal: the row breaks an invariant.
inline constexpr int kExecutionColumns = 40;
Result<Execution> execution_from(const Row& row);

// From that column on.
inline constexpr int kLineColumns = 4;
inline constexpr int kWorkspaceColumns = 11;
LineState line_from(const Row& row, int column);
Workspace workspace_from(const Row& row, int column);

}  // namespace millrace::sqlite
