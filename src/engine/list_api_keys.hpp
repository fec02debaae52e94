#pragma once

#include "store/reader.hpp"

namespace millrace {

// By id, with those that are of no use any more.
struct ListApiKeys {
    ApiKeyFilter filter{};
    Page page{};
};

Result<Listing<ApiKey>> read(const ListApiKeys& query, Reader& reader);

}  // namespace millrace
