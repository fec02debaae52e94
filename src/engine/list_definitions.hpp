#pragma once

#include "store/reader.hpp"

namespace millrace {

// The latest version of each definition, by id.
struct ListDefinitions {
    DefinitionFilter filter{};
    Page page{};
};

Result<Listing<DefinitionSummary>> read(const ListDefinitions& query, Reader& reader);

}  // namespace millrace
