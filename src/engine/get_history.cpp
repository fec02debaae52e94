#include "engine/get_history.hpp"

#include <algorithm>

#include "engine/find_instance.hpp"

namespace millrace {

Result<HistoryLines> read(const GetHistory& query, Reader& reader) {
    Result<std::optional<InstanceHistory>> found = reader.history(query.key, query.part);
    if (!found) return found.error();
    if (!*found) return instance_not_found(query.key);

    InstanceHistory& history = **found;
    HistoryLines out{.lines = std::move(history.closed), .has_more = history.has_more};
    // Open ones after the last that is shown belong to a later part.
    const StepExecutionKey last = out.lines.empty() ? StepExecutionKey{} : out.lines.back().key;
    for (StepExecution& open : open_step_executions(history.instance)) {
        if (open.key.id.value.sequence() <= query.part.after) continue;
        if (!out.has_more || open.key < last) out.lines.push_back(std::move(open));
    }
    std::ranges::sort(out.lines, {}, &StepExecution::key);
    return out;
}

}  // namespace millrace
