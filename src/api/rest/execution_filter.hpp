#pragma once

#include <string_view>

#include "base/result.hpp"
#include "queue/list_executions.hpp"

namespace millrace::rest {

struct ParsedExecutionFilter {
    ExecutionFilter filter{};
    bool is_impossible = false;  // It asks only for statuses that no execution has.
};

// The filters of lists of executions, as their query gives them. invalid_argument names what is
// wrong.
Result<ParsedExecutionFilter> parse_execution_filter(const WorkspaceId& workspace_id,
                                                     std::string_view query);

}  // namespace millrace::rest
