#include "engine/list_instances.hpp"

namespace millrace {

Result<Listing<Instance>> read(const ListInstances& query, Reader& reader) {
    Result<Listing<Instance>> found = reader.instances(query.filter, query.page);
    // A filter that no store can keep matches nothing.
    if (!found && found.error().code == ErrorCode::data_refused) return Listing<Instance>{};
    return found;
}

}  // namespace millrace
