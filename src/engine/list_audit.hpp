#pragma once

#include <vector>

#include "engine/audit_line.hpp"

namespace millrace {

// Newest first. With an instance in the filter, what happened to its jobs is there too.
struct ListAudit {
    AuditFilter filter{};
    // What is shown of jobs; empty and `filter.kinds` not: nothing.
    std::vector<JobAuditKind> job_kinds{};
    Page page{};  // `after` is the id_text of a line.
};

Result<Listing<AuditLine>> read(const ListAudit& query, Reader& reader);

}  // namespace millrace
