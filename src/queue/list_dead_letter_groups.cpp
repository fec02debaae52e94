#include "queue/list_dead_letter_groups.hpp"

namespace millrace {

Result<std::vector<DeadLetterGroup>> read(const ListDeadLetterGroups& query, Reader& reader) {
    return reader.dead_letter_groups(query.workspace_id, query.count_max);
}

}  // namespace millrace
