#include "engine/get_history.hpp"

#include <algorithm>

#include "engine/find_instance.hpp"

namespace millrace {

Result<std::vector<StepExecution>> read(const GetHistory& query, Reader& reader) {
    Result<std::optional<InstanceHistory>> found = reader.history(query.key);
    if (!found) return found.error();
    if (!*found) return instance_not_found(query.key);

    std::vector<StepExecution> lines = std::move((*found)->closed);
    for (StepExecution& open : open_step_executions((*found)->instance)) {
        lines.push_back(std::move(open));
    }
    std::ranges::sort(lines, {}, &StepExecution::key);
    return lines;
}

}  // namespace millrace
