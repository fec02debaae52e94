#include "engine/list_user_tasks.hpp"

namespace millrace {

Result<Listing<UserTask>> read(const ListUserTasks& query, Reader& reader) {
    Result<Listing<UserTask>> found = reader.user_tasks(query.filter, query.page);
    // A filter that no store can keep matches nothing.
    if (!found && found.error().code == ErrorCode::data_refused) return Listing<UserTask>{};
    return found;
}

}  // namespace millrace
