#include "engine/list_jobs.hpp"

namespace millrace {

Result<Listing<Job>> read(const ListJobs& query, Reader& reader) {
    Result<Listing<Job>> found = reader.jobs(query.filter, query.page);
    // A filter that no store can keep matches nothing.
    if (!found && found.error().code == ErrorCode::data_refused) return Listing<Job>{};
    return found;
}

}  // namespace millrace
