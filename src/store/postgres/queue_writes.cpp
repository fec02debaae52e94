#include "store/postgres/queue_writes.hpp"

#include <optional>
#include <string_view>

#include "core/queue/dead_letter_text.hpp"
#include "store/postgres/row_parameters.hpp"

namespace millrace::postgres {

namespace {

using Text = std::optional<std::string_view>;

template <class Tag>
std::optional<Id128> value_of(const std::optional<Id<Tag>>& id) {
    if (!id) return std::nullopt;
    return id->value;
}

std::optional<std::string> error_group(const std::string& message) {
    if (message.empty()) return std::nullopt;
    return normalised_message(message);
}

// Rows of a statement, whatever they are wrapped in.
template <class Rows, class Row>
class Columns {
public:
    Columns(Parameters& parameters, const Rows& rows,
            const Row& (*row_of)(const typename Rows::value_type&))
        : parameters_(parameters), rows_(rows), row_of_(row_of) {}

    template <class Projection>
    void add(Projection projection) {
        parameters_.add_column(rows_, [&](const auto& item) { return projection(row_of_(item)); });
    }

private:
    Parameters& parameters_;
    const Rows& rows_;
    const Row& (*row_of_)(const typename Rows::value_type&);
};

template <class Columns>
void add_key(Columns& columns) {
    columns.add(
        [](const Execution& row) -> std::string_view { return row.key.workspace_id.value; });
    columns.add([](const Execution& row) { return row.key.id.value; });
}

template <class Columns>
void add_place(Columns& columns) {
    columns.add([](const Execution& row) { return to_string(row.queue_status); });
    columns.add([](const Execution& row) { return to_string(row.place); });
    columns.add([](const Execution& row) { return row.rank_at; });
    columns.add([](const Execution& row) { return row.due_at; });
}

template <class Columns>
void add_tries(Columns& columns) {
    columns.add([](const Execution& row) { return row.claimed_at; });
    columns.add([](const Execution& row) { return row.dispatched_at; });
    columns.add([](const Execution& row) { return row.started_at; });
    columns.add([](const Execution& row) { return row.completed_at; });
    columns.add([](const Execution& row) { return row.attempt_count; });
    columns.add([](const Execution& row) { return row.deferrals; });
    columns.add([](const Execution& row) { return row.recoveries; });
    columns.add([](const Execution& row) { return row.next_attempt_at; });
    columns.add([](const Execution& row) { return unless_empty(row.last_error); });
    columns.add([](const Execution& row) { return unless_empty(row.error_reason); });
    columns.add([](const Execution& row) { return unless_empty(row.error_message); });
    columns.add([](const Execution& row) { return error_group(row.error_message); });
    columns.add([](const Execution& row) { return row.claim.token; });
    columns.add([](const Execution& row) { return unless_empty(row.claim.owner); });
}

template <class Columns>
void add_run(Columns& columns) {
    columns.add([](const Execution& row) { return unless_empty(row.run_id); });
    columns.add([](const Execution& row) { return row.first_try_at; });
    columns.add([](const Execution& row) { return row.cancel_requested_at; });
    columns.add([](const Execution& row) { return std::int32_t{row.is_forced ? 1 : 0}; });
    columns.add([](const Execution& row) { return std::int32_t{row.is_resuming ? 1 : 0}; });
    columns.add([](const Execution& row) { return value_of(row.instance_id); });
}

Call insert_executions(const std::vector<NewExecution>& rows) {
    Parameters p;
    Columns<std::vector<NewExecution>, Execution> columns(
        p, rows, [](const NewExecution& row) -> const Execution& { return row.execution; });
    add_key(columns);
    columns.add([](const Execution& row) { return row.definition.row_id; });
    columns.add([](const Execution& row) -> std::string_view { return row.definition.id; });
    columns.add([](const Execution& row) { return row.definition.version; });
    add_place(columns);
    columns.add([](const Execution& row) { return row.priority; });
    columns.add([](const Execution& row) { return row.not_before; });
    columns.add([](const Execution& row) { return row.deadline; });
    columns.add([](const Execution& row) { return unless_empty(row.concurrency_key); });
    columns.add([](const Execution& row) { return unless_empty(row.requested_by); });
    columns.add([](const Execution& row) { return row.created_at; });
    add_tries(columns);
    columns.add([](const Execution& row) { return to_string(row.executor); });
    columns.add([](const Execution& row) { return unless_empty(row.target); });
    add_run(columns);
    columns.add([](const Execution& row) { return value_of(row.retry_of); });
    columns.add([](const Execution& row) { return value_of(row.retried_by); });
    columns.add([](const Execution& row) { return row.dismissed_at; });
    columns.add([](const Execution& row) { return unless_empty(row.trace_parent); });
    p.add_column(rows,
                 [](const NewExecution& row) -> std::string_view { return row.input.text(); });
    return call(sql::insert_executions, std::move(p));
}

Call update_executions(const std::vector<Execution>& rows) {
    Parameters p;
    Columns<std::vector<Execution>, Execution> columns(
        p, rows, [](const Execution& row) -> const Execution& { return row; });
    add_key(columns);
    add_place(columns);
    columns.add([](const Execution& row) { return row.not_before; });
    columns.add([](const Execution& row) { return row.deadline; });
    add_tries(columns);
    add_run(columns);
    columns.add([](const Execution& row) { return value_of(row.retried_by); });
    columns.add([](const Execution& row) { return row.dismissed_at; });
    return call(sql::update_executions, std::move(p));
}

// Of those that were written, the ones that are open, and the keys of the others.
struct OpenRows {
    std::vector<const Execution*> open{};
    std::vector<ExecutionKey> over{};

    void add(const Execution& row) {
        is_open(row.queue_status) ? open.push_back(&row) : over.push_back(row.key);
    }
};

Call put_open_executions(const std::vector<const Execution*>& rows) {
    using Row = const Execution*;
    Parameters p;
    p.add_column(rows, [](Row row) -> std::string_view { return row->key.workspace_id.value; });
    p.add_column(rows, [](Row row) { return row->key.id.value; });
    p.add_column(rows, [](Row row) { return to_string(row->place); });
    p.add_column(rows, [](Row row) { return to_string(row->queue_status); });
    p.add_column(rows, [](Row row) { return row->rank_at; });
    p.add_column(rows, [](Row row) { return row->due_at; });
    p.add_column(rows, [](Row row) { return row->deadline; });
    p.add_column(rows, [](Row row) { return unless_empty(row->concurrency_key); });
    p.add_column(rows, [](Row row) { return row->created_at; });
    return call(sql::put_open_executions, std::move(p));
}

Call move_executions(const std::vector<ExecutionMove>& rows) {
    using Row = ExecutionMove;
    Parameters p;
    p.add_column(rows,
                 [](const Row& row) -> std::string_view { return row.key.workspace_id.value; });
    p.add_column(rows, [](const Row& row) { return row.key.id.value; });
    p.add_column(rows, [](const Row& row) { return row.instance_id.value; });
    return call(sql::move_executions, std::move(p));
}

Call end_executions(const std::vector<ExecutionEnd>& rows) {
    using Row = ExecutionEnd;
    Parameters p;
    p.add_column(rows,
                 [](const Row& row) -> std::string_view { return row.key.workspace_id.value; });
    p.add_column(rows, [](const Row& row) { return row.key.id.value; });
    p.add_column(rows, [](const Row& row) { return to_string(row.queue_status); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.reason); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.message); });
    p.add_column(rows, [](const Row& row) { return error_group(row.message); });
    p.add_column(rows, [](const Row& row) { return row.at; });
    p.add_column(rows, [](const Row& row) { return value_of(row.instance_id); });
    return call(sql::end_executions, std::move(p));
}

Call set_execution_results(const std::vector<ExecutionResult>& rows) {
    using Row = ExecutionResult;
    Parameters p;
    p.add_column(rows,
                 [](const Row& row) -> std::string_view { return row.key.workspace_id.value; });
    p.add_column(rows, [](const Row& row) { return row.key.id.value; });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.result); });
    return call(sql::set_execution_results, std::move(p));
}

Call put_workspaces(const std::vector<Workspace>& rows) {
    using Row = Workspace;
    Parameters p;
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.id.value; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.name; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.plan; });
    p.add_column(rows, [](const Row& row) { return row.max_active; });
    p.add_column(rows, [](const Row& row) { return row.max_per_key; });
    p.add_column(rows, [](const Row& row) { return row.rate_per_second; });
    p.add_column(rows, [](const Row& row) { return row.max_attempts; });
    p.add_column(rows, [](const Row& row) { return row.weight; });
    p.add_column(rows, [](const Row& row) { return std::int32_t{row.is_paused ? 1 : 0}; });
    p.add_column(rows, [](const Row& row) { return row.created_at; });
    p.add_column(rows, [](const Row& row) { return row.changed_at; });
    return call(sql::put_workspaces, std::move(p));
}

Call put_workspace_lines(const std::vector<Workspace>& rows) {
    Parameters p;
    p.add_column(rows, [](const Workspace& row) -> std::string_view { return row.id.value; });
    return call(sql::put_workspace_lines, std::move(p));
}

Call remove_workspaces(const sql::Statement& statement, const std::vector<WorkspaceId>& ids) {
    Parameters p;
    p.add_column(ids, [](const WorkspaceId& id) -> std::string_view { return id.value; });
    return call(statement, std::move(p));
}

Call update_workspace_lines(const std::vector<LineChange>& rows) {
    using Row = LineChange;
    Parameters p;
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.workspace_id.value; });
    p.add_column(rows, [](const Row& row) { return std::int32_t{row.state.is_runnable ? 1 : 0}; });
    p.add_column(rows, [](const Row& row) { return row.state.virtual_time; });
    p.add_column(rows, [](const Row& row) { return row.state.rate.tokens; });
    p.add_column(rows, [](const Row& row) { return row.state.rate.counted_at; });
    return call(sql::update_workspace_lines, std::move(p));
}

// Locks executions that the batch has not loaded, sorted by id, when two statements would lock them
// one after the other.
Call lock_unloaded(const Writes& w) {
    std::vector<ExecutionKey> keys;
    for (const ExecutionMove& row : w.executions_moved) keys.push_back(row.key);
    for (const ExecutionEnd& row : w.executions_ended) keys.push_back(row.key);
    Parameters p = key_columns(keys);
    add_key_columns(p, std::vector<InstanceKey>{});
    return call(sql::lock_executions, std::move(p));
}

// Everything that may have to wait for a lock.
void append_execution_writes(std::vector<Call>& calls, const Writes& w, const OpenRows& rows) {
    if (!w.executions_new.empty()) calls.push_back(insert_executions(w.executions_new));
    if (!w.executions_changed.empty()) calls.push_back(update_executions(w.executions_changed));
    if (!rows.open.empty()) calls.push_back(put_open_executions(rows.open));
    if (!w.executions_moved.empty() && !w.executions_ended.empty()) {
        calls.push_back(lock_unloaded(w));
    }
    if (!w.executions_moved.empty()) calls.push_back(move_executions(w.executions_moved));
    if (!w.executions_ended.empty()) calls.push_back(end_executions(w.executions_ended));
    if (!w.execution_results.empty()) calls.push_back(set_execution_results(w.execution_results));
    if (!w.executions_removed.empty()) {
        calls.push_back(call(sql::delete_executions, key_columns(w.executions_removed)));
    }
}

void append_workspace_removals(std::vector<Call>& calls, const std::vector<WorkspaceId>& ids) {
    if (ids.empty()) return;
    for (const sql::Statement* statement :
         {&sql::delete_workspace_of_workspaces, &sql::delete_workspace_queue_of_workspaces,
          &sql::delete_definition_of_workspaces}) {
        calls.push_back(remove_workspaces(*statement, ids));
    }
}

}  // namespace

void append_queue_writes(std::vector<Call>& calls, const Writes& w) {
    OpenRows rows;
    for (const NewExecution& row : w.executions_new) rows.add(row.execution);
    for (const Execution& row : w.executions_changed) rows.add(row);
    for (const ExecutionEnd& row : w.executions_ended) rows.over.push_back(row.key);
    rows.over.insert(rows.over.end(), w.executions_removed.begin(), w.executions_removed.end());

    if (!w.workspaces.empty()) {
        calls.push_back(put_workspaces(w.workspaces));
        calls.push_back(put_workspace_lines(w.workspaces));
    }
    append_execution_writes(calls, w, rows);
    if (!w.lines.empty()) calls.push_back(update_workspace_lines(w.lines));
    append_workspace_removals(calls, w.workspaces_removed);
    // Last: it locks those that it calls, out of the order of locks, and so nothing may wait later.
    if (!rows.over.empty()) {
        calls.push_back(call(sql::delete_open_executions, key_columns(rows.over)));
    }
}

}  // namespace millrace::postgres
