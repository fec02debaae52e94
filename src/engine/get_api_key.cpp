#include "engine/get_api_key.hpp"

namespace millrace {

Result<std::optional<ApiKey>> read(const GetApiKey& query, Reader& reader) {
    return reader.api_key(query.id);
}

}  // namespace millrace
