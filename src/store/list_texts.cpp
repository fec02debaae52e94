#include "store/list_texts.hpp"

#include "core/instance/state_text.hpp"

namespace millrace {

std::optional<std::string> statuses_text(const InstanceFilter& filter) {
    if (filter.statuses.empty()) return std::nullopt;
    std::string text = ",";
    for (const InstanceStatus status : filter.statuses) {
        text += std::string(to_string(status)) + ",";
    }
    return text;
}

std::optional<std::string> group_pattern(const UserTaskFilter& filter) {
    if (!filter.candidate_group) return std::nullopt;
    return group_text({*filter.candidate_group});
}

}  // namespace millrace
