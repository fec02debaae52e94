#pragma once

#include "store/reader.hpp"

namespace millrace {

// Where an instance is that is known by its id alone; empty when nowhere.
struct FindWorkspace {
    InstanceId instance{};
};

Result<std::optional<WorkspaceId>> read(const FindWorkspace& query, Reader& reader);

}  // namespace millrace
