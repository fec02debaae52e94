#include "store/sqlite/write_queue.hpp"

#include "core/queue/dead_letter_text.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

std::optional<std::string> error_group(const std::string& message) {
    if (message.empty()) return std::nullopt;
    return normalised_message(message);
}

class QueueWriting {
public:
    explicit QueueWriting(Connection& connection) : connection_(connection) {}

    Status write(const Writes& writes) {
        // The first error ends it: what follows && is not done.
        const bool done = each(writes.workspaces_removed, &QueueWriting::remove_workspace) &&
                          each(writes.workspaces, &QueueWriting::put_workspace) &&
                          each(writes.executions_new, &QueueWriting::insert_execution) &&
                          each(writes.executions_changed, &QueueWriting::update_execution) &&
                          each(writes.executions_moved, &QueueWriting::move_execution) &&
                          each(writes.executions_ended, &QueueWriting::end_execution) &&
                          each(writes.execution_results, &QueueWriting::set_result) &&
                          each(writes.executions_removed, &QueueWriting::remove_execution) &&
                          each(writes.lines, &QueueWriting::update_line);
        MILLRACE_CHECK(done == bool(status_));
        return status_;
    }

private:
    template <class Item>
    bool each(const std::vector<Item>& items, Status (QueueWriting::*write_one)(const Item&)) {
        for (const Item& item : items) {
            status_ = (this->*write_one)(item);
            if (!status_) return false;
        }
        return true;
    }

    Status insert_execution(const NewExecution& item) {
        const Execution& row = item.execution;
        Status status = connection_.run(
            sql::insert_executions, row.key.workspace_id, row.key.id, row.definition.row_id,
            row.definition.id, row.definition.version, to_string(row.queue_status),
            to_string(row.place), row.rank_at, row.due_at, row.priority, row.not_before,
            row.deadline, none_if_empty(row.concurrency_key), none_if_empty(row.requested_by),
            row.created_at, row.claimed_at, row.dispatched_at, row.started_at, row.completed_at,
            row.attempt_count, row.deferrals, row.recoveries, row.next_attempt_at,
            none_if_empty(row.last_error), none_if_empty(row.error_reason),
            none_if_empty(row.error_message), error_group(row.error_message), row.claim.token,
            none_if_empty(row.claim.owner), to_string(row.executor), none_if_empty(row.target),
            none_if_empty(row.run_id), row.first_try_at, row.cancel_requested_at,
            std::int64_t{row.is_forced}, std::int64_t{row.is_resuming}, row.instance_id,
            row.retry_of, row.retried_by, row.dismissed_at, none_if_empty(row.trace_parent),
            item.input.text());
        return status ? put_open_row(row) : status;
    }

    Status update_execution(const Execution& row) {
        Status status = connection_.run(
            sql::update_executions, row.key.workspace_id, row.key.id, to_string(row.queue_status),
            to_string(row.place), row.rank_at, row.due_at, row.not_before, row.deadline,
            row.claimed_at, row.dispatched_at, row.started_at, row.completed_at, row.attempt_count,
            row.deferrals, row.recoveries, row.next_attempt_at, none_if_empty(row.last_error),
            none_if_empty(row.error_reason), none_if_empty(row.error_message),
            error_group(row.error_message), row.claim.token, none_if_empty(row.claim.owner),
            none_if_empty(row.run_id), row.first_try_at, row.cancel_requested_at,
            std::int64_t{row.is_forced}, std::int64_t{row.is_resuming}, row.instance_id,
            row.retried_by, row.dismissed_at);
        if (!status || connection_.changes() == 0) return status;
        return put_open_row(row);
    }

    Status put_open_row(const Execution& row) {
        if (!is_open(row.queue_status)) return remove_open_row(row.key);
        return connection_.run(sql::put_open_executions, row.key.workspace_id, row.key.id,
                               to_string(row.place), to_string(row.queue_status), row.rank_at,
                               row.due_at, row.deadline, none_if_empty(row.concurrency_key),
                               row.created_at);
    }

    Status remove_open_row(const ExecutionKey& key) {
        return connection_.run(sql::delete_open_executions, key.workspace_id, key.id);
    }

    Status move_execution(const ExecutionMove& move) {
        return connection_.run(sql::move_executions, move.key.workspace_id, move.key.id,
                               move.instance_id);
    }

    Status end_execution(const ExecutionEnd& end) {
        Status status = connection_.run(sql::end_executions, end.key.workspace_id, end.key.id,
                                        to_string(end.queue_status), none_if_empty(end.reason),
                                        none_if_empty(end.message), error_group(end.message),
                                        end.at, end.instance_id);
        return status ? remove_open_row(end.key) : status;
    }

    Status set_result(const ExecutionResult& row) {
        return connection_.run(sql::set_execution_results, row.key.workspace_id, row.key.id,
                               none_if_empty(row.result));
    }

    Status remove_execution(const ExecutionKey& key) {
        Status status = remove_open_row(key);
        if (!status) return status;
        return connection_.run(sql::delete_executions, key.workspace_id, key.id);
    }

    Status put_workspace(const Workspace& row) {
        Status status =
            connection_.run(sql::put_workspaces, row.id, row.name, row.plan, row.max_active,
                            row.max_per_key, row.rate_per_second, row.max_attempts, row.weight,
                            std::int64_t{row.is_paused}, row.created_at, row.changed_at);
        return status ? connection_.run(sql::put_workspace_lines, row.id) : status;
    }

    Status remove_workspace(const WorkspaceId& id) {
        for (const sql::Statement* removal :
             {&sql::delete_workspace_of_workspaces, &sql::delete_workspace_queue_of_workspaces,
              &sql::delete_definition_of_workspaces}) {
            if (Status status = connection_.run(*removal, id); !status) return status;
        }
        return ok();
    }

    Status update_line(const LineChange& row) {
        return connection_.run(sql::update_workspace_lines, row.workspace_id,
                               std::int64_t{row.state.is_runnable}, row.state.virtual_time,
                               row.state.rate.tokens, row.state.rate.counted_at);
    }

    Connection& connection_;
    Status status_ = ok();
};

}  // namespace

Status write_queue(Connection& connection, const Writes& writes) {
    return QueueWriting(connection).write(writes);
}

}  // namespace millrace::sqlite
