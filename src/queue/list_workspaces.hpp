#pragma once

#include "store/reader.hpp"

namespace millrace {

// By id.
struct ListWorkspaces {
    Page page{};
};

Result<Listing<Workspace>> read(const ListWorkspaces& query, Reader& reader);

}  // namespace millrace
