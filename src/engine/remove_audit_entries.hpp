#pragma once

#include <vector>

#include "commit/command.hpp"

namespace millrace {

// Removes audit entries. They never change, so nothing is looked at again.
struct RemoveAuditEntries {
    static constexpr std::string_view kName = "audit.remove";
    static constexpr bool kIsBulky = true;

    std::vector<AuditKey> entries{};
};

struct RemovedAuditEntries {};

Footprint footprint(const RemoveAuditEntries& command);
Result<Decision<RemovedAuditEntries>> decide(const RemoveAuditEntries& command,
                                             const WorkingSet& rows, Instant now);

}  // namespace millrace
