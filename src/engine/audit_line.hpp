#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/job_audit.hpp"

namespace millrace {

// A line of an audit: what somebody did, or what happened to a job.
using AuditLine = std::variant<AuditEntry, JobAuditEntry>;

Instant at_of(const AuditLine& line);

// Names the line for good. Of a job: its id, the number of its lease and the kind, since one lease
// has at most one line of each.
std::string id_text(const AuditLine& line);

// By time; of what happened at once, what somebody did stands before what came of it.
std::vector<AuditLine> in_order(std::vector<AuditEntry> entries, std::vector<JobAuditEntry> jobs);

}  // namespace millrace
