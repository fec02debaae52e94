#include "core/queue/execution.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace millrace {

namespace {

constexpr std::array<std::pair<QueueStatus, std::string_view>, 6> kQueueStatuses{{
    {QueueStatus::pending, "PENDING"},
    {QueueStatus::claimed, "CLAIMED"},
    {QueueStatus::dispatched, "DISPATCHED"},
    {QueueStatus::completed, "COMPLETED"},
    {QueueStatus::failed, "FAILED"},
    {QueueStatus::cancelled, "CANCELLED"},
}};

constexpr std::array<std::pair<ExecutionStatus, std::string_view>, 5> kStatuses{{
    {ExecutionStatus::pending, "PENDING"},
    {ExecutionStatus::running, "RUNNING"},
    {ExecutionStatus::completed, "COMPLETED"},
    {ExecutionStatus::failed, "FAILED"},
    {ExecutionStatus::cancelled, "CANCELLED"},
}};

constexpr std::array<std::pair<QueuePlace, std::string_view>, 4> kPlaces{{
    {QueuePlace::ready, "READY"},
    {QueuePlace::parked, "PARKED"},
    {QueuePlace::due, "DUE"},
    {QueuePlace::active, "ACTIVE"},
}};

constexpr std::string_view kWorkflowIdPrefix = "execution-";

template <class Names, class Value>
std::string_view name_of(const Names& names, Value value) {
    return std::ranges::find(names, value, &Names::value_type::first)->second;
}

template <class Value, std::size_t N>
std::optional<Value> parse(const std::array<std::pair<Value, std::string_view>, N>& names,
                           std::string_view text) {
    const auto found = std::ranges::find(names, text, &std::pair<Value, std::string_view>::second);
    if (found == names.end()) return std::nullopt;
    return found->first;
}

}  // namespace

std::string_view to_string(QueueStatus status) {
    return name_of(kQueueStatuses, status);
}
std::optional<QueueStatus> parse_queue_status(std::string_view text) {
    return parse(kQueueStatuses, text);
}

std::string_view to_string(ExecutionStatus status) {
    return name_of(kStatuses, status);
}
std::optional<ExecutionStatus> parse_execution_status(std::string_view text) {
    return parse(kStatuses, text);
}

std::string_view to_string(QueuePlace place) {
    return name_of(kPlaces, place);
}
std::optional<QueuePlace> parse_queue_place(std::string_view text) {
    return parse(kPlaces, text);
}

ExecutionStatus execution_status(QueueStatus status) {
    switch (status) {
        case QueueStatus::pending: return ExecutionStatus::pending;
        case QueueStatus::claimed:
        case QueueStatus::dispatched: return ExecutionStatus::running;
        case QueueStatus::completed: return ExecutionStatus::completed;
        case QueueStatus::failed: return ExecutionStatus::failed;
        case QueueStatus::cancelled: return ExecutionStatus::cancelled;
    }
    return ExecutionStatus::failed;
}

std::string workflow_id(const ExecutionKey& key) {
    return std::string(kWorkflowIdPrefix) + to_string(key.id.value);
}

std::optional<ExecutionId> parse_workflow_id(std::string_view text) {
    if (!text.starts_with(kWorkflowIdPrefix)) return std::nullopt;
    const std::optional<Id128> id = parse_ulid(text.substr(kWorkflowIdPrefix.size()));
    if (!id) return std::nullopt;
    return ExecutionId{*id};
}

}  // namespace millrace
