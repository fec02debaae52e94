#include "api/rest/execution_filter.hpp"

#include <algorithm>
#include <vector>

#include "api/rest/query_filter.hpp"
#include "api/rest/request_time.hpp"

namespace millrace::rest {

namespace {

constexpr QueueStatus kQueueStatuses[] = {QueueStatus::pending,    QueueStatus::claimed,
                                          QueueStatus::dispatched, QueueStatus::completed,
                                          QueueStatus::failed,     QueueStatus::cancelled};

bool is_listed(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (list.substr(0, comma) == name) return true;
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

// Both views of one state may be asked for: then both must hold.
void add_statuses(ParsedExecutionFilter& parsed, const QueryFilter& query) {
    const auto views = query.text("status");
    const auto places = query.text("queueStatus");
    if (!views && !places) return;
    for (const QueueStatus status : kQueueStatuses) {
        const bool is_wanted = (!views || is_listed(*views, to_string(execution_status(status)))) &&
                               (!places || is_listed(*places, to_string(status)));
        if (is_wanted) parsed.filter.statuses.push_back(status);
    }
    parsed.is_impossible = parsed.filter.statuses.empty();
}

Result<std::optional<Instant>> time_value(const QueryFilter& query, std::string_view name) {
    const std::optional<std::string> text = query.text(name);
    if (!text) return std::optional<Instant>{};
    if (const auto time = request_time(*text)) return std::optional(*time);
    const std::string reason = std::string(name) + " must be a time such as 2026-11-15T06:55:59Z";
    return Error{ErrorCode::invalid_argument, reason, {{std::string(name), reason}}};
}

}  // namespace

Result<ParsedExecutionFilter> parse_execution_filter(const WorkspaceId& workspace_id,
                                                     std::string_view query_text) {
    const QueryFilter query(query_text);
    ParsedExecutionFilter parsed{.filter = {.workspace_id = workspace_id}};
    parsed.filter.definition_id = query.text("definitionId");
    parsed.filter.concurrency_key = query.text("concurrencyKey");
    parsed.filter.error_reason = query.text("reason");
    parsed.filter.requested_by = query.text("requestedBy");
    add_statuses(parsed, query);
    const Result<std::optional<Instant>> from = time_value(query, "createdFrom");
    if (!from) return from.error();
    parsed.filter.created_from = *from;
    const Result<std::optional<Instant>> before = time_value(query, "createdBefore");
    if (!before) return before.error();
    parsed.filter.created_before = *before;
    return parsed;
}

}  // namespace millrace::rest
