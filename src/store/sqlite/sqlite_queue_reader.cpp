#include <functional>
#include <set>

#include "store/id_range.hpp"
#include "store/list_texts.hpp"
#include "store/sqlite/queue_rows.hpp"
#include "store/sqlite/row_lists.hpp"
#include "store/sqlite/rows.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store_sqlite_sql.hpp"

// What a SqliteReader tells of the queue.
namespace millrace::sqlite {

namespace {

Result<StoredExecution> stored_from(const Row& row) {
    Result<Execution> execution = execution_from(row);
    if (!execution) return execution.error();
    return StoredExecution{
        .execution = std::move(*execution),
        .input = Variables::from_text(string_from(row, kExecutionColumns)),
        .result = string_from(row, kExecutionColumns + 1),
    };
}

Result<Workspace> whole_workspace_from(const Row& row) {
    return workspace_from(row, 0);
}

Result<QueueOverview> overview_from(const Row& row) {
    QueueOverview queue{
        .workspace = workspace_from(row, kLineColumns),
        .line = line_from(row, 0),
    };
    QueueCounts& counts = queue.counts;
    int column = kLineColumns + kWorkspaceColumns;
    for (std::int64_t* count :
         {&counts.ready, &counts.parked, &counts.due, &counts.claimed, &counts.dispatched}) {
        const std::int64_t stored = row.integer(column++);
        *count = std::min(stored, limits::kTotalExactMax);
        if (stored > limits::kTotalExactMax) counts.is_capped = true;
    }
    counts.oldest_waiting = optional_instant(row, column);
    return queue;
}

Result<DeadLetterGroup> group_from(const Row& row) {
    const std::optional<ExecutionId> latest = optional_id<ExecutionId>(row, 6);
    if (!latest) return Error{ErrorCode::internal, "A stored id is corrupt."};
    return DeadLetterGroup{
        .definition_id = string_from(row, 0),
        .reason = string_from(row, 1),
        .message = string_from(row, 2),
        .count = row.integer(3),
        .first_at = row.instant(4),
        .last_at = row.instant(5),
        .latest = *latest,
    };
}

// Where a list is read from, and how its rows are counted.
struct ExecutionQueries {
    const sql::Statement& list;
    const sql::Statement& count;
};

// The list of one page, from one index.
class ExecutionList {
public:
    ExecutionList(const TroubleNote& note, Connection& connection, const ExecutionFilter& filter,
                  const IdRange& range, const IdRange& whole)
        : note_(note), connection_(connection), filter_(filter), range_(range), whole_(whole) {}

    // `second`: the one status, or several between commas, as the statements want it.
    Result<ListedRows<Execution>> read(const ExecutionQueries& queries,
                                       const std::optional<std::string>& second,
                                       std::int64_t count_max, std::int64_t count_skipped) {
        return read_listed<Execution>(
            note_, connection_, queries.list, execution_from, filter_.workspace_id, second,
            filter_.definition_id, filter_.concurrency_key, filter_.error_reason,
            filter_.requested_by, filter_.created_from, filter_.created_before, range_.first,
            range_.last, count_max, count_skipped);
    }

    Result<std::optional<std::int64_t>> count(const ExecutionQueries& queries,
                                              const std::optional<std::string>& second) {
        return read_first<std::int64_t>(
            connection_, queries.count, integer_from, filter_.workspace_id, second,
            filter_.definition_id, filter_.concurrency_key, filter_.error_reason,
            filter_.requested_by, filter_.created_from, filter_.created_before, whole_.first,
            whole_.last, kCountMax);
    }

private:
    const TroubleNote& note_;
    Connection& connection_;
    const ExecutionFilter& filter_;
    const IdRange& range_;
    const IdRange& whole_;
};

// Of the statements that go through one index for all statuses; empty when each has to be read.
std::optional<ExecutionQueries> queries_for(const ExecutionFilter& filter) {
    if (filter.only_dead_letters) {
        const auto& list =
            filter.oldest_first ? sql::list_oldest_dead_letters : sql::list_dead_letters;
        return ExecutionQueries{list, sql::count_dead_letters};
    }
    if (filter.definition_id && !filter.oldest_first) {
        return ExecutionQueries{sql::list_executions_of_definition,
                                sql::count_executions_of_definition};
    }
    return std::nullopt;
}

std::set<QueueStatus> statuses_of(const ExecutionFilter& filter) {
    if (!filter.statuses.empty()) return {filter.statuses.begin(), filter.statuses.end()};
    using enum QueueStatus;
    return {pending, claimed, dispatched, completed, failed, cancelled};
}

void sort_by_id(std::vector<Execution>& executions, bool oldest_first) {
    if (oldest_first) {
        std::ranges::sort(executions, {}, &Execution::key);
    } else {
        std::ranges::sort(executions, std::greater{}, &Execution::key);
    }
}

// The index of statuses has each of them in order: as many of each as the page may show, and then
// the first of all.
Result<Listing<Execution>> merged(ExecutionList& list, const ExecutionFilter& filter, Page page) {
    const ExecutionQueries queries{
        filter.oldest_first ? sql::list_oldest_executions : sql::list_executions,
        sql::count_executions};
    const std::int64_t wanted = skipped(page) + fetched(page);
    std::vector<Execution> all;
    std::int64_t total = 0;
    for (const QueueStatus status : statuses_of(filter)) {
        const std::string name(to_string(status));
        Result<ListedRows<Execution>> some = list.read(queries, name, wanted, 0);
        if (!some) return some.error();
        std::ranges::move(some->items, std::back_inserter(all));
        const Result<std::optional<std::int64_t>> count = list.count(queries, name);
        if (!count) return count.error();
        total += count->value_or(0);
    }
    sort_by_id(all, filter.oldest_first);
    const auto shown = static_cast<std::size_t>(std::min(wanted, std::ssize(all)));
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(shown), all.end());
    const auto before = std::min(skipped(page), std::ssize(all));
    all.erase(all.begin(), all.begin() + before);
    const std::int64_t count = std::ssize(all);
    return listing<Execution>(ListedRows<Execution>{std::move(all), count, true},
                              std::optional(total), page);
}

}  // namespace

Result<std::optional<StoredExecution>> SqliteReader::execution(ExecutionId id) {
    return in_snapshot<std::optional<StoredExecution>>([&](Connection& connection) {
        return read_first<StoredExecution>(connection, sql::read_execution, stored_from, id);
    });
}

Result<Listing<Execution>> SqliteReader::executions(const ExecutionFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    const Result<IdRange> whole = range_of(filter, Page{});
    if (!range) return range.error();
    return in_snapshot<Listing<Execution>>(
        [&](Connection& connection) -> Result<Listing<Execution>> {
            ExecutionList list(on_trouble_, connection, filter, *range, *whole);
            const std::optional<ExecutionQueries> queries = queries_for(filter);
            if (!queries) return merged(list, filter, page);
            const std::optional<std::string> statuses = statuses_text(filter);
            return listing(list.read(*queries, statuses, fetched(page), skipped(page)),
                           list.count(*queries, statuses), page);
        });
}

Result<std::optional<Workspace>> SqliteReader::workspace(const WorkspaceId& id) {
    return in_snapshot<std::optional<Workspace>>([&](Connection& connection) {
        return read_first<Workspace>(connection, sql::load_workspaces, whole_workspace_from, id);
    });
}

Result<Listing<Workspace>> SqliteReader::workspaces(Page page) {
    return in_snapshot<Listing<Workspace>>([&](Connection& connection) {
        return listing(
            read_listed<Workspace>(on_trouble_, connection, sql::list_workspaces,
                                   whole_workspace_from, page.after, fetched(page), skipped(page)),
            read_first<std::int64_t>(connection, sql::count_workspaces, integer_from, kCountMax),
            page);
    });
}

Result<std::optional<QueueOverview>> SqliteReader::queue(const WorkspaceId& id) {
    return in_snapshot<std::optional<QueueOverview>>([&](Connection& connection) {
        return read_first<QueueOverview>(connection, sql::read_queues, overview_from, id,
                                         kCountMax);
    });
}

Result<std::vector<QueueOverview>> SqliteReader::busy_queues(const WorkspaceId& after,
                                                             std::int32_t count_max) {
    using Queues = std::vector<QueueOverview>;
    return in_snapshot<Queues>([&](Connection& connection) -> Result<Queues> {
        const Result<std::vector<WorkspaceId>> ids = read_all<WorkspaceId>(
            connection, sql::busy_workspaces, workspace_id_from, after, count_max);
        if (!ids) return ids.error();
        Queues queues;
        for (const WorkspaceId& id : *ids) {
            Result<std::optional<QueueOverview>> queue = read_first<QueueOverview>(
                connection, sql::read_queues, overview_from, id, kCountMax);
            if (!queue) return queue.error();
            if (*queue) queues.push_back(std::move(**queue));
        }
        return queues;
    });
}

Result<std::vector<DeadLetterGroup>> SqliteReader::dead_letter_groups(
    const WorkspaceId& workspace_id, std::int32_t count_max) {
    return in_snapshot<std::vector<DeadLetterGroup>>([&](Connection& connection) {
        return read_all<DeadLetterGroup>(connection, sql::dead_letter_groups, group_from,
                                         workspace_id, count_max);
    });
}

Result<std::int64_t> SqliteReader::dead_letters(const WorkspaceId& workspace_id) {
    const ExecutionFilter filter{.workspace_id = workspace_id, .only_dead_letters = true};
    return in_snapshot<std::int64_t>([&](Connection& connection) -> Result<std::int64_t> {
        const IdRange all;
        const Result<std::optional<std::int64_t>> count =
            workspace_id.value.empty()
                ? read_first<std::int64_t>(connection, sql::count_all_dead_letters, integer_from,
                                           kCountMax)
                : ExecutionList(on_trouble_, connection, filter, all, all)
                      .count(*queries_for(filter), std::nullopt);
        if (!count) return count.error();
        return std::min(count->value_or(0), limits::kTotalExactMax);
    });
}

Result<QueuePosition> SqliteReader::position(const Execution& execution) {
    return in_snapshot<QueuePosition>([&](Connection& connection) -> Result<QueuePosition> {
        const Result<std::optional<std::int64_t>> count = read_first<std::int64_t>(
            connection, sql::queue_position, integer_from, execution.key.workspace_id,
            execution.rank_at, execution.key.id, kCountMax);
        if (!count) return count.error();
        const std::int64_t before = count->value_or(0);
        return QueuePosition{.before = std::min(before, limits::kTotalExactMax),
                             .is_capped = before > limits::kTotalExactMax};
    });
}

Result<std::vector<Execution>> SqliteReader::slot_holders(const WorkspaceId& workspace_id,
                                                          const std::string& concurrency_key,
                                                          std::int32_t count_max) {
    return in_snapshot<std::vector<Execution>>([&](Connection& connection) {
        return read_all<Execution>(connection, sql::slot_holders, execution_from, workspace_id,
                                   none_if_empty(concurrency_key), count_max);
    });
}

Result<std::vector<ExecutionKey>> SqliteReader::due_executions(Instant now,
                                                               std::int32_t count_max) {
    return in_snapshot<std::vector<ExecutionKey>>([&](Connection& connection) {
        return read_all<ExecutionKey>(connection, sql::due_executions, key_from<ExecutionKey>, now,
                                      count_max);
    });
}

Result<std::optional<Instant>> SqliteReader::next_due_execution() {
    return in_snapshot<std::optional<Instant>>([](Connection& connection) {
        return read_first<Instant>(connection, sql::next_due_execution, instant_from);
    });
}

Result<std::vector<ExecutionKey>> SqliteReader::unattended_executions(Unattended which, Instant now,
                                                                      std::int32_t count_max) {
    return in_snapshot<std::vector<ExecutionKey>>([&](Connection& connection) {
        return read_all<ExecutionKey>(connection, sql::unattended_executions,
                                      key_from<ExecutionKey>, now, count_max, status_text(which));
    });
}

Result<std::optional<Instant>> SqliteReader::next_unattended_execution(Unattended which) {
    return in_snapshot<std::optional<Instant>>([&](Connection& connection) {
        return read_first<Instant>(connection, sql::next_unattended_execution, instant_from,
                                   status_text(which));
    });
}

Result<std::vector<ExecutionKey>> SqliteReader::stale_claims(Instant claimed_before,
                                                             std::int32_t count_max) {
    return in_snapshot<std::vector<ExecutionKey>>([&](Connection& connection) {
        return read_all<ExecutionKey>(connection, sql::stale_claims, key_from<ExecutionKey>,
                                      claimed_before, count_max);
    });
}

Result<std::vector<Execution>> SqliteReader::execution_ends(const WorkspaceId& workspace_id,
                                                            const std::string& definition_id,
                                                            ExecutionId after, ExecutionId before,
                                                            std::int32_t count_max) {
    // One that cannot be read has no end that is known; those after it have.
    const auto end_from = [this](const Row& row) -> Result<Execution> {
        Result<Execution> execution = execution_from(row);
        if (execution) return execution;
        note_trouble(on_trouble_, execution.error());
        const Result<ExecutionKey> key = key_from<ExecutionKey>(row);
        if (!key) return key.error();
        return Execution{.key = *key};
    };
    return in_snapshot<std::vector<Execution>>([&](Connection& connection) {
        return read_all<Execution>(connection, sql::execution_ends, end_from, workspace_id,
                                   definition_id, after, before, count_max);
    });
}

}  // namespace millrace::sqlite
