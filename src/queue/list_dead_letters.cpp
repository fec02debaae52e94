#include "queue/list_dead_letters.hpp"

#include "queue/list_executions.hpp"

namespace millrace {

Result<Listing<Execution>> read(const ListDeadLetters& query, Reader& reader) {
    ListExecutions all{query.filter, query.page};
    all.filter.only_dead_letters = true;
    return read(all, reader);
}

}  // namespace millrace
