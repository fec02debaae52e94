#pragma once

#include "store/reader.hpp"

namespace millrace {

// Newest first.
struct ListInstances {
    InstanceFilter filter{};
    Page page{};
};

Result<Listing<Instance>> read(const ListInstances& query, Reader& reader);

}  // namespace millrace
