#pragma once

#include <vector>

#include "store/reader.hpp"

namespace millrace {

// Every step that an instance has entered, closed or open, in order of entry.
struct GetHistory {
    InstanceKey key{};
};

// not_found when there is no such instance.
Result<std::vector<StepExecution>> read(const GetHistory& query, Reader& reader);

}  // namespace millrace
