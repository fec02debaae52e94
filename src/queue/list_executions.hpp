#pragma once

#include "store/reader.hpp"

namespace millrace {

// Newest first, unless the filter says otherwise.
struct ListExecutions {
    ExecutionFilter filter{};
    Page page{};
};

Result<Listing<Execution>> read(const ListExecutions& query, Reader& reader);

}  // namespace millrace
