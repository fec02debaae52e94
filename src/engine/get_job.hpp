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
    bool is_anywhere = false;  // Whatever its workspace: that of the key does not count.
};

Result<JobView> read(const GetJob& query, Reader& reader);

}  // namespace millrace
