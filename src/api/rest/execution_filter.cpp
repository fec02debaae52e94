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
    const std::vector<std::string_view> parts = parts_of(list);
    return std::ranges::find(parts, name) != parts.end();
}

std::optional<Error> unknown_part(std::string_view name, std::string_view list,
                                  const std::vector<std::string_view>& words) {
    for (const std::string_view part : parts_of(list)) {
        const bool is_known = std::ranges::find(words, part) != words.end();
        if (!is_known) return no_such_value(name, part, words);
    }
    return std::nullopt;
}

// Both views of one state may be asked for: then both must hold.
Status add_statuses(ParsedExecutionFilter& parsed, const QueryFilter& query) {
    const auto views = query.text("status");
    const auto places = query.text("queueStatus");
    if (!views && !places) return ok();
    if (const auto error =
            unknown_part("status", views.value_or(""), words_up_to(ExecutionStatus::cancelled))) {
        return *error;
    }
    if (const auto error =
            unknown_part("queueStatus", places.value_or(""), words_up_to(QueueStatus::cancelled))) {
        return *error;
    }
    for (const QueueStatus status : kQueueStatuses) {
        const bool is_wanted = (!views || is_listed(*views, to_string(execution_status(status)))) &&
                               (!places || is_listed(*places, to_string(status)));
        if (is_wanted) parsed.filter.statuses.push_back(status);
    }
    parsed.is_impossible = parsed.filter.statuses.empty();
    return ok();
}

Result<std::optional<Instant>> time_value(const QueryFilter& query, std::string_view name) {
    const std::optional<std::string> text = query.text(name);
    if (!text) return std::optional<Instant>{};
    if (const auto time = request_time(*text)) return std::optional(*time);
    return must_be(name, "a time such as 2026-11-15T06:55:59Z");
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
    if (const Status added = add_statuses(parsed, query); !added) return added.error();
    const Result<std::optional<Instant>> from = time_value(query, "createdFrom");
    if (!from) return from.error();
    parsed.filter.created_from = *from;
    const Result<std::optional<Instant>> before = time_value(query, "createdBefore");
    if (!before) return before.error();
    parsed.filter.created_before = *before;
    return parsed;
}

}  // namespace millrace::rest
