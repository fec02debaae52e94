#include "store/sqlite/load_admission.hpp"

#include <algorithm>
#include <set>

#include "core/limits.hpp"
#include "store/sqlite/queue_rows.hpp"
#include "store/sqlite/rows.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

class AdmissionLoading {
public:
    AdmissionLoading(Connection& connection, const AdmissionRequest& request,
                     DefinitionsInUse& in_use, std::vector<std::string>& reasons)
        : connection_(connection),
          request_(request),
          in_use_(in_use),
          reasons_(reasons),
          mark_(request.looks_everywhere ? 0 : request.virtual_time_mark) {}

    Result<AdmissionRows> load() {
        // What is called is ready: only then is it known who waits.
        if (Status status = unpark(); !status) return status.error();
        if (Status status = wake(); !status) return status.error();
        if (Status status = read_lines(); !status) return status.error();
        for (WorkspaceLine& line : rows_.lines) {
            if (Status status = count(line); !status) return status.error();
        }
        for (WorkspaceLine& line : rows_.lines) {
            if (Status status = read_ready(line); !status) return status.error();
        }
        return std::move(rows_);
    }

private:
    Status unpark() {
        std::set<ConcurrencyKey> keys(request_.woken_keys.begin(), request_.woken_keys.end());
        if (request_.looks_everywhere) {
            if (Status status = add_parked_keys(keys); !status) return status;
        }
        for (const ConcurrencyKey& key : keys) {
            Status status = connection_.run(sql::unpark_executions, key.workspace_id, key.key,
                                            request_.max_per_key);
            if (!status) return status;
        }
        return ok();
    }

    Status add_parked_keys(std::set<ConcurrencyKey>& keys) {
        ConcurrencyKey last = request_.keys_after;
        for (std::size_t looked_at = 0; looked_at < limits::kQueueNetMax; ++looked_at) {
            std::optional<ConcurrencyKey> next;
            const auto read = [&](const Row& row) {
                next = {{string_from(row, 0)}, string_from(row, 1)};
                return ok();
            };
            Status status =
                connection_.for_each(sql::parked_keys, read, last.workspace_id, last.key);
            if (!status) return status;
            if (!next) return ok();
            last = *next;
            keys.insert(std::move(*next));
        }
        rows_.keys_looked_at = std::move(last);
        return ok();
    }

    Status wake() {
        std::set<WorkspaceId> ids(request_.woken.begin(), request_.woken.end());
        if (request_.looks_everywhere) {
            if (Status status = add_waiting_workspaces(ids); !status) return status;
        }
        if (ids.empty()) return ok();
        double level = mark_;
        const auto raise = [&](const Row& row) {
            if (!row.is_null(0)) level = std::max(level, row.real(0));
            return ok();
        };
        if (Status status = connection_.for_each(sql::lowest_virtual_time, raise); !status) {
            return status;
        }
        for (const WorkspaceId& id : ids) {
            if (Status status = connection_.run(sql::wake_lines, id, level); !status) return status;
        }
        return ok();
    }

    // Those that are gone have orphans instead of a line.
    Status add_waiting_workspaces(std::set<WorkspaceId>& ids) {
        WorkspaceId last = request_.lines_after;
        for (std::size_t looked_at = 0; looked_at < limits::kQueueNetMax; ++looked_at) {
            std::optional<WorkspaceId> next;
            bool exists = false;
            const auto read = [&](const Row& row) {
                next = WorkspaceId{string_from(row, 0)};
                exists = row.integer(1) != 0;
                return ok();
            };
            Status status = connection_.for_each(sql::waiting_workspaces, read, last);
            if (!status) return status;
            if (!next) return ok();
            last = *next;
            if (exists) {
                ids.insert(std::move(*next));
            } else if (Status found = read_orphans(last); !found) {
                return found;
            }
        }
        rows_.lines_looked_at = std::move(last);
        return ok();
    }

    Status read_orphans(const WorkspaceId& id) {
        const auto add = [&](const Row& row) -> Status {
            Result<Execution> execution = execution_from(row);
            if (!execution) return note_unreadable(row, execution.error());
            rows_.orphans.push_back(std::move(*execution));
            return ok();
        };
        const auto room =
            static_cast<std::int64_t>(limits::kQueueOrphansMax - rows_.orphans.size());
        return connection_.for_each(sql::load_orphaned_executions, add, id, room);
    }

    Status note_unreadable(const Row& row, const Error& error) {
        const Result<ExecutionKey> key = key_from<ExecutionKey>(row);
        if (!key) return key.error();
        rows_.unreadable.push_back(*key);
        reasons_.push_back(error.detail);
        return ok();
    }

    Status read_lines() {
        const auto add = [&](const Row& row) {
            rows_.lines.push_back(
                {.workspace = workspace_from(row, kLineColumns), .state = line_from(row, 0)});
            return ok();
        };
        return connection_.for_each(sql::lock_lines, add, mark_, std::max(0, request_.lines_max));
    }

    Status count(WorkspaceLine& line) {
        std::optional<std::int32_t> active_max;
        if (request_.active_counted) active_max = request_.active_counted(line.workspace);
        const auto read = [&](const Row& row) {
            line.active = row.integer(0);
            line.ready_count = row.integer(1);
            return ok();
        };
        return connection_.for_each(sql::count_lines, read, line.workspace.id, active_max,
                                    request_.count_max);
    }

    Status read_ready(WorkspaceLine& line) {
        if (line.ready_count == 0 || !request_.quota) return ok();
        const std::int32_t quota = std::max(0, request_.quota(line, rows_.lines.size()));
        const auto add = [&](const Row& row) -> Result<bool> {
            if (bytes_read_ >= request_.bytes_max) return false;
            Result<WaitingExecution> waiting = waiting_from(row);
            if (waiting) {
                bytes_read_ += std::ssize(waiting->input.text());
                line.ready.push_back(std::move(*waiting));
            } else if (Status noted = note_unreadable(row, waiting.error()); !noted) {
                return noted.error();
            }
            return true;
        };
        Status status =
            connection_.for_some(sql::load_ready_executions, add, line.workspace.id, quota);
        if (!status) return status;
        // What is counted but not found is broken: it would keep the line busy for ever.
        const auto found = std::ssize(line.ready);
        const bool is_cut = bytes_read_ >= request_.bytes_max;
        if (found < quota && !is_cut) line.ready_count = std::min(line.ready_count, found);
        return read_instances(line);
    }

    // Those that find no room stay in the line, unseen by this admission.
    Status read_instances(WorkspaceLine& line) {
        const auto needs_instance = [](const WaitingExecution& waiting) {
            return waiting.execution.is_resuming && waiting.execution.instance_id;
        };
        std::vector<WaitingExecution> read;
        read.reserve(line.ready.size());
        for (WaitingExecution& waiting : line.ready) {
            if (needs_instance(waiting)) {
                if (instance_bytes_read_ >= request_.bytes_max) continue;
                if (Status status = read_instance(waiting); !status) return status;
            }
            read.push_back(std::move(waiting));
        }
        line.ready = std::move(read);
        return ok();
    }

    Result<WaitingExecution> waiting_from(const Row& row) {
        Result<Execution> execution = execution_from(row);
        if (!execution) return execution.error();
        const DefinitionRef& ref = execution->definition;
        if (row.integer(kExecutionColumns + 2) != 0) in_use_.try_emplace(ref.row_id, ref);
        return WaitingExecution{
            .execution = std::move(*execution),
            .input = Variables::from_text(string_from(row, kExecutionColumns)),
            .active_of_key = row.integer(kExecutionColumns + 1),
        };
    }

    Status read_instance(WaitingExecution& waiting) {
        const Execution& execution = waiting.execution;
        const auto read = [&](const Row& row) -> Status {
            Result<Instance> instance = instance_from(row);
            if (!instance) {
                waiting.is_instance_unreadable = true;
                reasons_.push_back(instance.error().detail);
                return ok();
            }
            const DefinitionRef& ref = instance->definition;
            if (row.integer(kDefinitionExists) != 0) in_use_.try_emplace(ref.row_id, ref);
            instance_bytes_read_ += std::ssize(instance->variables.text());
            waiting.instance = std::move(*instance);
            return ok();
        };
        return connection_.for_each(sql::load_instances, read, execution.key.workspace_id,
                                    *execution.instance_id);
    }

    Connection& connection_;
    const AdmissionRequest& request_;
    DefinitionsInUse& in_use_;
    std::vector<std::string>& reasons_;  // Of rows that cannot be read.
    const double mark_;
    AdmissionRows rows_;
    std::int64_t bytes_read_ = 0;           // Of inputs,
    std::int64_t instance_bytes_read_ = 0;  // and of the instances of those that resume.
};

}  // namespace

Result<AdmissionRows> load_admission(Connection& connection, const AdmissionRequest& request,
                                     DefinitionsInUse& in_use, std::vector<std::string>& reasons) {
    return AdmissionLoading(connection, request, in_use, reasons).load();
}

}  // namespace millrace::sqlite
