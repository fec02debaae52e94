#include "store/list_texts.hpp"

#include "core/instance/state_text.hpp"

namespace millrace {

namespace {

template <class Word>
std::optional<std::string> between_commas(const std::vector<Word>& words) {
    if (words.empty()) return std::nullopt;
    std::string text = ",";
    for (const Word word : words) text += std::string(to_string(word)) + ",";
    return text;
}

}  // namespace

std::optional<std::string> statuses_text(const InstanceFilter& filter) {
    return between_commas(filter.statuses);
}

std::optional<std::string> statuses_text(const ExecutionFilter& filter) {
    return between_commas(filter.statuses);
}

std::optional<std::string> kinds_text(const AuditFilter& filter) {
    return between_commas(filter.kinds);
}

std::optional<std::string_view> status_text(Unattended which) {
    switch (which) {
        case Unattended::claims_and_runs: return std::nullopt;
        case Unattended::claims: return to_string(QueueStatus::claimed);
        case Unattended::runs: return to_string(QueueStatus::dispatched);
    }
    return std::nullopt;
}

std::optional<std::string> group_pattern(const UserTaskFilter& filter) {
    if (!filter.candidate_group) return std::nullopt;
    return group_text({*filter.candidate_group});
}

}  // namespace millrace
