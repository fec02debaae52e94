#include "engine/list_api_keys.hpp"

namespace millrace {

Result<Listing<ApiKey>> read(const ListApiKeys& query, Reader& reader) {
    return reader.api_keys(query.filter, query.page);
}

}  // namespace millrace
