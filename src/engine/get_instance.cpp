#include "engine/get_instance.hpp"

#include "engine/find_instance.hpp"

namespace millrace {

Result<Instance> read(const GetInstance& query, Reader& reader) {
    Result<std::optional<Instance>> found = reader.instance(query.key);
    if (!found) return found.error();
    if (!*found) return instance_not_found(query.key);
    return std::move(**found);
}

}  // namespace millrace
