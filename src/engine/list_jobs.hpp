#pragma once

#include "store/reader.hpp"

namespace millrace {

// Open jobs, oldest first.
struct ListJobs {
    JobFilter filter{};
    Page page{};
};

Result<Listing<Job>> read(const ListJobs& query, Reader& reader);

}  // namespace millrace
