#pragma once

#include "store/reader.hpp"

namespace millrace {

// A job as people look at it, open or over.
struct JobView {
    Job job{};
    std::vector<Try> tries{};  // Those that have ended.
};

// not_found when there never was such a job.
struct GetJob {
    JobKey job{};
};

Result<JobView> read(const GetJob& query, Reader& reader);

}  // namespace millrace
