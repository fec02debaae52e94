#pragma once

#include "store/reader.hpp"

namespace millrace {

struct GetInstance {
    InstanceKey key{};
};

// not_found when there is none.
Result<Instance> read(const GetInstance& query, Reader& reader);

}  // namespace millrace
