#pragma once

#include <optional>
#include <string>

#include "store/reader.hpp"

namespace millrace {

// Whatever its workspace and state; empty when there is none. For whoever checks a key.
struct GetApiKey {
    std::string id{};
};

Result<std::optional<ApiKey>> read(const GetApiKey& query, Reader& reader);

}  // namespace millrace
