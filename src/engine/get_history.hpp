#pragma once

#include <vector>

#include "core/limits.hpp"
#include "store/reader.hpp"

namespace millrace {

// The steps that an instance has entered, closed or open, in order of entry, from some place on.
struct GetHistory {
    InstanceKey key{};
    HistoryPart part{.count_max = limits::kHistoryLinesMax, .bytes_max = limits::kPageBytesMax};
};

struct HistoryLines {
    std::vector<StepExecution> lines{};
    bool has_more = false;  // After the last one of these.
};

// not_found when there is no such instance.
Result<HistoryLines> read(const GetHistory& query, Reader& reader);

}  // namespace millrace
