#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/limits.hpp"
#include "core/queue/admission.hpp"

namespace millrace {

// All executions of a workspace with one concurrency key.
struct ConcurrencyKey {
    WorkspaceId workspace_id{};
    std::string key{};

    friend auto operator<=>(const ConcurrencyKey&, const ConcurrencyKey&) = default;
};

// What an admission wants to see of the queue. No row that another transaction has locked is waited
// for: it is left out.
struct AdmissionRequest {
    // Something has come or ended there since they were found with nothing to let in: they compete
    // again.
    std::vector<WorkspaceId> woken{};
    std::vector<ConcurrencyKey> woken_keys{};
    // The net: workspaces with ready items compete again, and so do parked keys with room, some at
    // a time, from those behind `lines_after` and `keys_after` on.
    bool looks_everywhere = false;
    WorkspaceId lines_after{};
    ConcurrencyKey keys_after{};
    std::int32_t lines_max = 64;
    double virtual_time_mark = 0;    // A hint: nothing that is worth a look is below it.
    std::int32_t max_per_key = 1;    // Where the workspace does not say.
    std::int32_t count_max = 1'000;  // Ready items are counted so far.
    // What the inputs of those that are read may take together. Lines that find no room keep their
    // items for the next admission.
    std::int64_t bytes_max = limits::kBatchBytesMax;
    // Beyond how many active ones need not be counted; null, or empty: all are.
    std::function<std::optional<std::int32_t>(const Workspace& workspace)> active_counted{};
    // How many items are worth reading of a line, which has none yet; `lines` are locked.
    std::function<std::int32_t(const WorkspaceLine& line, std::size_t lines)> quota{};
};

struct AdmissionRows {
    std::vector<WorkspaceLine> lines{};  // In the order of their virtual times; locked.
    // Ready items of workspaces that are gone; locked.
    std::vector<Execution> orphans{};
    // Ready items whose rows are corrupt, in no line; locked.
    std::vector<ExecutionKey> unreadable{};
    std::vector<WorkspaceId>
        still_asleep{};  // Woken ones that others have locked: wake them again.
    // The last ones of the net; empty when it came to the end.
    WorkspaceId lines_looked_at{};
    ConcurrencyKey keys_looked_at{};
};

}  // namespace millrace
