#pragma once

#include <vector>

#include "engine/audit_line.hpp"

namespace millrace {

// All that was done to an instance and what became of its jobs, by time: the latest
// kAuditOfInstanceMax lines, and kPageBytesMax of them.
struct GetInstanceAudit {
    InstanceKey key{};
};

// not_found when there is no such instance.
Result<std::vector<AuditLine>> read(const GetInstanceAudit& query, Reader& reader);

}  // namespace millrace
