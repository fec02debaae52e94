#pragma once

#include "store/reader.hpp"

namespace millrace {

// FAILED executions that nobody has dismissed, redriven or retried. Newest first, unless the filter
// says otherwise.
struct ListDeadLetters {
    ExecutionFilter filter{};
    Page page{};
};

Result<Listing<Execution>> read(const ListDeadLetters& query, Reader& reader);

}  // namespace millrace
