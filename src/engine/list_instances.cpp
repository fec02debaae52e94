#include "engine/list_instances.hpp"

namespace millrace {

Result<Listing<Instance>> read(const ListInstances& query, Reader& reader) {
    return reader.instances(query.filter, query.page);
}

}  // namespace millrace
