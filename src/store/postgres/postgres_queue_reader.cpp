#include "store/id_range.hpp"
#include "store/list_texts.hpp"
#include "store/postgres/answer_lists.hpp"
#include "store/postgres/decode.hpp"
#include "store/postgres/postgres_reader.hpp"
#include "store/postgres/queue_rows.hpp"

// What a PostgresReader tells of the queue.
namespace millrace::postgres {

namespace {

void add_optional(Parameters& parameters, const std::optional<std::string>& text) {
    text ? parameters.add(std::string_view(*text)) : parameters.add_null();
}

Parameters parameters_of(const ExecutionFilter& filter) {
    Parameters p;
    p.add(std::string_view(filter.workspace_id.value));
    add_optional(p, statuses_text(filter));
    add_optional(p, filter.definition_id);
    add_optional(p, filter.concurrency_key);
    add_optional(p, filter.error_reason);
    add_optional(p, filter.requested_by);
    p.add(filter.created_from);
    p.add(filter.created_before);
    filter.only_dead_letters ? p.add(std::int32_t{1}) : p.add_null();
    return p;
}

Parameters parameters_of(const WorkspaceId& id, std::int64_t count_max) {
    Parameters p;
    p.add(std::string_view(id.value));
    p.add(count_max);
    return p;
}

Result<StoredExecution> decode_stored(Fields& fields) {
    Result<Execution> execution = decode_execution(fields);
    if (!execution) return execution.error();
    StoredExecution stored{.execution = std::move(*execution)};
    stored.input = Variables::from_text(std::string(fields.text()));
    stored.result = fields.optional_text().value_or("");
    return stored;
}

Result<QueueOverview> decode_queue(Fields& fields) {
    Result<Workspace> workspace = decode_workspace_row(fields);
    if (!workspace) return workspace.error();
    QueueOverview queue{.workspace = std::move(*workspace), .line = decode_line(fields)};
    QueueCounts& counts = queue.counts;
    for (std::int64_t* count :
         {&counts.ready, &counts.parked, &counts.due, &counts.claimed, &counts.dispatched}) {
        *count = fields.int64();
        if (*count <= limits::kTotalExactMax) continue;
        *count = limits::kTotalExactMax;
        counts.is_capped = true;
    }
    counts.oldest_waiting = fields.optional_instant();
    return queue;
}

Result<DeadLetterGroup> decode_group(Fields& fields) {
    DeadLetterGroup group;
    group.definition_id = fields.text();
    group.reason = fields.optional_text().value_or("");
    group.message = fields.optional_text().value_or("");
    group.count = fields.int64();
    group.first_at = fields.instant();
    group.last_at = fields.instant();
    group.latest.value = fields.id();
    return group;
}

// One that cannot be read has no end that is known; those after it have.
Result<Execution> decode_end(Fields& fields) {
    const ExecutionKey key = decode_key<ExecutionKey>(fields);
    Result<Execution> execution = decode_execution(fields);
    return execution ? std::move(*execution) : Execution{.key = key};
}

Call read_queues(const std::vector<WorkspaceId>& ids) {
    Parameters p;
    p.add_column(ids, [](const WorkspaceId& id) -> std::string_view { return id.value; });
    p.add(limits::kTotalExactMax + 1);
    return call(sql::read_queues, std::move(p));
}

// But those that cannot be read.
template <class Row>
Result<std::vector<Row>> all_of(const Rows& answer, Result<Row> (*decode)(Fields&),
                                const UnreadableNote& note) {
    std::vector<Row> rows;
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Result<Row> row = decode(fields);
        if (row) {
            rows.push_back(std::move(*row));
        } else if (note) {
            note(row.error().detail);
        }
    }
    return rows;
}

}  // namespace

Result<std::optional<StoredExecution>> PostgresReader::execution(ExecutionId id) {
    Parameters p;
    p.add(id.value);
    const auto answers = run(one(call(sql::read_execution, std::move(p))));
    if (!answers) return answers.error();
    return first_of<StoredExecution>(answers->front(), &decode_stored);
}

Result<Listing<Execution>> PostgresReader::executions(const ExecutionFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    if (!range) return range.error();
    Parameters listed = parameters_of(filter);
    listed.add(range->first);
    listed.add(range->last);
    const sql::Statement& list =
        filter.oldest_first ? sql::list_oldest_executions : sql::list_executions;
    const auto answers = run(listing_calls({list, sql::count_executions}, std::move(listed),
                                           parameters_of(filter), page),
                             Planning::anew);
    if (!answers) return answers.error();
    return listing_of<Execution>(*answers, &decode_execution, page, options_.on_trouble);
}

Result<std::optional<Workspace>> PostgresReader::workspace(const WorkspaceId& id) {
    const std::vector<WorkspaceId> ids{id};
    Parameters p;
    p.add_column(ids, [](const WorkspaceId& each) -> std::string_view { return each.value; });
    const auto answers = run(one(call(sql::load_workspaces, std::move(p))));
    if (!answers) return answers.error();
    return first_of<Workspace>(answers->front(), &decode_workspace_row);
}

Result<Listing<Workspace>> PostgresReader::workspaces(Page page) {
    Parameters listed;
    listed.add(std::string_view(page.after));
    const auto answers = run(listing_calls({sql::list_workspaces, sql::count_workspaces},
                                           std::move(listed), Parameters{}, page));
    if (!answers) return answers.error();
    return listing_of<Workspace>(*answers, &decode_workspace_row, page, options_.on_trouble);
}

Result<std::optional<QueueOverview>> PostgresReader::queue(const WorkspaceId& id) {
    const auto answers = run(one(read_queues({id})));
    if (!answers) return answers.error();
    return first_of<QueueOverview>(answers->front(), &decode_queue);
}

Result<std::vector<QueueOverview>> PostgresReader::busy_queues(const WorkspaceId& after,
                                                               std::int32_t count_max) {
    const auto busy = run(one(call(sql::busy_workspaces, parameters_of(after, count_max))));
    if (!busy) return busy.error();
    std::vector<WorkspaceId> ids;
    for (int i = 0; i < busy->front().size(); ++i) {
        ids.push_back({std::string(Fields(busy->front(), i).text())});
    }
    if (ids.empty()) return std::vector<QueueOverview>{};
    const auto answers = run(one(read_queues(ids)));
    if (!answers) return answers.error();
    return all_of<QueueOverview>(answers->front(), &decode_queue, options_.on_trouble);
}

Result<std::vector<DeadLetterGroup>> PostgresReader::dead_letter_groups(
    const WorkspaceId& workspace_id, std::int32_t count_max) {
    const auto answers =
        run(one(call(sql::dead_letter_groups, parameters_of(workspace_id, count_max))));
    if (!answers) return answers.error();
    return all_of<DeadLetterGroup>(answers->front(), &decode_group, options_.on_trouble);
}

Result<std::int64_t> PostgresReader::dead_letters(const WorkspaceId& workspace_id) {
    const auto answers = run(
        one(call(sql::count_dead_letters, parameters_of(workspace_id, limits::kTotalExactMax))));
    if (!answers) return answers.error();
    return Fields(answers->front(), 0).int64();
}

Result<QueuePosition> PostgresReader::position(const Execution& execution) {
    Parameters p;
    p.add(std::string_view(execution.key.workspace_id.value));
    p.add(execution.rank_at);
    p.add(execution.key.id.value);
    p.add(limits::kTotalExactMax + 1);
    const auto answers = run(one(call(sql::queue_position, std::move(p))));
    if (!answers) return answers.error();
    const std::int64_t before = Fields(answers->front(), 0).int64();
    return QueuePosition{.before = std::min(before, limits::kTotalExactMax),
                         .is_capped = before > limits::kTotalExactMax};
}

Result<std::vector<Execution>> PostgresReader::slot_holders(const WorkspaceId& workspace_id,
                                                            const std::string& concurrency_key,
                                                            std::int32_t count_max) {
    Parameters p;
    p.add(std::string_view(workspace_id.value));
    concurrency_key.empty() ? p.add_null() : p.add(std::string_view(concurrency_key));
    p.add(std::int64_t{count_max});
    const auto answers = run(one(call(sql::slot_holders, std::move(p))), Planning::anew);
    if (!answers) return answers.error();
    return all_of<Execution>(answers->front(), &decode_execution, options_.on_trouble);
}

Result<std::vector<ExecutionKey>> PostgresReader::due_executions(Instant now,
                                                                 std::int32_t count_max) {
    const auto answers = run(one(due_call(sql::due_executions, now, count_max)));
    if (!answers) return answers.error();
    return keys_of<ExecutionKey>(answers->front());
}

Result<std::optional<Instant>> PostgresReader::next_due_execution() {
    return read_instant(sql::next_due_execution);
}

Result<std::vector<ExecutionKey>> PostgresReader::unattended_executions(Unattended which,
                                                                        Instant now,
                                                                        std::int32_t count_max) {
    Parameters p;
    p.add(now);
    p.add(std::int64_t{count_max});
    p.add(status_text(which));
    const auto answers = run(one(call(sql::unattended_executions, std::move(p))));
    if (!answers) return answers.error();
    return keys_of<ExecutionKey>(answers->front());
}

Result<std::optional<Instant>> PostgresReader::next_unattended_execution(Unattended which) {
    Parameters p;
    p.add(status_text(which));
    return read_instant(sql::next_unattended_execution, std::move(p));
}

Result<std::vector<ExecutionKey>> PostgresReader::stale_claims(Instant claimed_before,
                                                               std::int32_t count_max) {
    const auto answers = run(one(due_call(sql::stale_claims, claimed_before, count_max)));
    if (!answers) return answers.error();
    return keys_of<ExecutionKey>(answers->front());
}

Result<std::vector<Execution>> PostgresReader::execution_ends(const WorkspaceId& workspace_id,
                                                              const std::string& definition_id,
                                                              ExecutionId after, ExecutionId before,
                                                              std::int32_t count_max) {
    Parameters p;
    p.add(std::string_view(workspace_id.value));
    p.add(std::string_view(definition_id));
    p.add(after.value);
    p.add(before.value);
    p.add(std::int64_t{count_max});
    const auto answers = run(one(call(sql::execution_ends, std::move(p))));
    if (!answers) return answers.error();
    return all_of<Execution>(answers->front(), &decode_end, options_.on_trouble);
}

}  // namespace millrace::postgres
