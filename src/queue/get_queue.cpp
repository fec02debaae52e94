#include "queue/get_queue.hpp"

#include "queue/find_execution.hpp"

namespace millrace {

Result<QueueView> read(const GetQueue& query, Reader& reader) {
    Result<std::optional<QueueOverview>> found = reader.queue(query.workspace_id);
    if (!found) return found.error();
    if (!*found) return workspace_not_found(query.workspace_id);
    const Result<std::int64_t> dead_letters = reader.dead_letters(query.workspace_id);
    if (!dead_letters) return dead_letters.error();
    return QueueView{std::move(**found), *dead_letters};
}

}  // namespace millrace
