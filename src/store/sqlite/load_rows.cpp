#include "store/sqlite/load_rows.hpp"

#include <map>
#include <set>

#include "store/sqlite/load_admission.hpp"
#include "store/sqlite/queue_rows.hpp"
#include "store/sqlite/rows.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

// Where the statements have what can be large.
constexpr int kInstanceVariables = 7;
constexpr int kInstanceState = 8;
constexpr int kJobVariables = 12;

class Loader {
public:
    Loader(Connection& connection, DefinitionCache& cache, LoadedRows& out)
        : connection_(connection), cache_(cache), out_(out) {}

    Status load(const Footprint& footprint) {
        if (Status status = idempotency_records(footprint); !status) return status;
        if (Status status = instances(footprint); !status) return status;
        if (Status status = jobs(footprint); !status) return status;
        if (Status status = user_tasks(footprint); !status) return status;
        if (Status status = api_keys(footprint); !status) return status;
        if (Status status = step_executions(footprint); !status) return status;
        if (Status status = definitions(footprint); !status) return status;
        if (Status status = uploads(footprint); !status) return status;
        if (Status status = workspaces(footprint); !status) return status;
        if (Status status = admission(footprint); !status) return status;
        if (Status status = executions(footprint); !status) return status;
        if (Status status = definition_contents(footprint.bound); !status) return status;
        out_.left_out.normalise();
        return ok();
    }

private:
    // A row that begins with its key and cannot be read is noted as such. An error that is not the
    // row's own ends the load.
    template <class Key>
    Status note_unreadable(std::vector<Key>& keys, const Row& row, const Error& error) {
        const Result<Key> key = key_from<Key>(row);
        if (!key) return key.error();
        keys.push_back(*key);
        return note_reason(error);
    }

    Status note_reason(const Error& error) {
        if (error.code != ErrorCode::internal) return error;
        out_.unreadable.reasons.push_back(error.detail);
        return ok();
    }

    Status idempotency_records(const Footprint& footprint) {
        const auto add = [&](const Row& row) -> Status {
            Result<IdempotencyRecord> record = idempotency_record_from(row);
            if (!record) return record.error();
            out_.idempotency_records.push_back(std::move(*record));
            return ok();
        };
        for (const IdempotencyKey& key : footprint.idempotency_keys) {
            Status status = connection_.for_each(sql::load_idempotency_keys, add, key.workspace_id,
                                                 key.operation, key.key);
            if (!status) return status;
        }
        return ok();
    }

    Status instances(const Footprint& footprint) {
        ReadingRoom room(footprint.bound);
        const auto add = [&](const Row& row) -> Status {
            room.take(row.bytes(kInstanceVariables).size() + row.bytes(kInstanceState).size());
            Result<Instance> instance = instance_from(row);
            if (!instance) return note_unreadable(out_.unreadable.instances, row, instance.error());
            const DefinitionRef& ref = instance->definition;
            if (row.integer(kDefinitionExists) != 0) in_use_.try_emplace(ref.row_id, ref);
            out_.instances.push_back(std::move(*instance));
            return ok();
        };
        for (const InstanceKey& key : in_order_of_reading(footprint.bound, footprint.instances)) {
            if (!room.is_left() && !comes_first(footprint.bound, key)) {
                out_.left_out.instances.push_back(key.id.value);
                continue;
            }
            Status status =
                connection_.for_each(sql::load_instances, add, key.workspace_id, key.id);
            if (!status) return status;
        }
        return ok();
    }

    Status jobs(const Footprint& footprint) {
        ReadingRoom room(footprint.bound);
        const auto add = [&](const Row& row) -> Status {
            room.take(row.bytes(kJobVariables).size());
            Result<Job> job = job_from(row);
            if (!job) return note_unreadable(out_.unreadable.jobs, row, job.error());
            out_.jobs.push_back(std::move(*job));
            return ok();
        };
        for (const JobKey& key : in_order_of_reading(footprint.bound, footprint.jobs)) {
            if (!room.is_left() && !comes_first(footprint.bound, key)) {
                out_.left_out.instances.push_back(instance_of(key.id).value);
                continue;
            }
            Status status = connection_.for_each(sql::load_jobs, add, key.workspace_id, key.id);
            if (!status) return status;
        }
        return ok();
    }

    Status user_tasks(const Footprint& footprint) {
        const auto add = [&](const Row& row) -> Status {
            Result<UserTask> task = user_task_from(row);
            if (!task) return note_unreadable(out_.unreadable.user_tasks, row, task.error());
            out_.user_tasks.push_back(std::move(*task));
            return ok();
        };
        for (const UserTaskKey& key : footprint.user_tasks) {
            Status status =
                connection_.for_each(sql::load_user_tasks, add, key.workspace_id, key.id);
            if (!status) return status;
        }
        return ok();
    }

    Status api_keys(const Footprint& footprint) {
        const auto add = [&](const Row& row) -> Status {
            Result<ApiKey> key = api_key_from(row);
            if (!key) return key.error();
            out_.api_keys.push_back(std::move(*key));
            return ok();
        };
        for (const std::string& id : footprint.api_keys) {
            Status status = connection_.for_each(sql::load_api_keys, add, id);
            if (!status) return status;
        }
        return ok();
    }

    Status step_executions(const Footprint& footprint) {
        const auto add = [&](const Row& row) -> Status {
            Result<StepExecution> execution = step_execution_from(row);
            if (!execution) {
                return note_unreadable(out_.unreadable.step_executions, row, execution.error());
            }
            out_.step_executions.push_back(std::move(*execution));
            return ok();
        };
        for (const StepExecutionKey& key : footprint.step_executions) {
            Status status =
                connection_.for_each(sql::load_step_executions, add, key.workspace_id, key.id);
            if (!status) return status;
        }
        return ok();
    }

    // Which they are; what they say is read at the end.
    Status definitions(const Footprint& footprint) {
        for (const DefinitionKey& key : footprint.definitions) {
            std::optional<DefinitionRow> found;
            const auto read = [&](const Row& row) -> Status {
                const auto version = static_cast<std::int32_t>(row.integer(1));
                found.emplace().ref = {row.integer(0), key.id, version};
                return ok();
            };
            Status status = connection_.for_each(sql::load_definitions, read, key.workspace_id,
                                                 key.id, key.version);
            if (!status) return status;
            out_.definitions.emplace_back(key, std::move(found));
        }
        return ok();
    }

    Status uploads(const Footprint& footprint) {
        for (const UploadKey& key : footprint.uploads) {
            const auto add = [&](const Row& row) {
                out_.uploads.emplace_back(
                    key, UploadRow{
                             .latest_version = static_cast<std::int32_t>(row.integer(0)),
                             .same_version = static_cast<std::int32_t>(row.integer(1)),
                             .same_uploaded_at = row.instant(2),
                         });
                return ok();
            };
            Status status = connection_.for_each(sql::load_uploads, add, key.workspace_id, key.id,
                                                 key.canonical);
            if (!status) return status;
        }
        return ok();
    }

    Status workspaces(const Footprint& footprint) {
        const auto add = [&](const Row& row) -> Status {
            out_.workspaces.push_back(workspace_from(row, 0));
            return ok();
        };
        for (const WorkspaceId& id : footprint.workspaces) {
            Status status = connection_.for_each(sql::load_workspaces, add, id);
            if (!status) return status;
        }
        return ok();
    }

    Status admission(const Footprint& footprint) {
        if (!footprint.admission) return ok();
        Result<AdmissionRows> rows =
            load_admission(connection_, *footprint.admission, in_use_, out_.unreadable.reasons);
        if (!rows) return rows.error();
        out_.admission = std::move(*rows);
        return ok();
    }

    // Behind the admission, which may call some of them.
    Status executions(const Footprint& footprint) {
        const auto add = [&](const Row& row) -> Status {
            Result<Execution> execution = execution_from(row);
            if (!execution) {
                return note_unreadable(out_.unreadable.executions, row, execution.error());
            }
            out_.executions.push_back(std::move(*execution));
            return ok();
        };
        std::set<ExecutionKey> keys(footprint.executions.begin(), footprint.executions.end());
        for (const Instance& instance : out_.instances) {
            if (!footprint.executions_of_instances || !instance.execution_id) continue;
            keys.insert({*instance.execution_id, instance.key.workspace_id});
        }
        for (const ExecutionKey& key : keys) {
            Status status =
                connection_.for_each(sql::load_executions, add, key.workspace_id, key.id);
            if (!status) return status;
        }
        return ok();
    }

    // Of all that needs one, as far as there is room.
    Status definition_contents(const ReadingBound& bound) {
        std::set<std::int64_t> first = definitions_first(bound, out_);
        std::set<std::int64_t> others;
        for (const auto& [row_id, ref] : in_use_) others.insert(row_id);
        for (const auto& [key, row] : out_.definitions) {
            if (row) others.insert(row->ref.row_id);
        }
        ReadingRoom room(bound);
        for (const std::int64_t row_id : first) {
            if (others.erase(row_id) == 0) continue;
            if (Status status = read_definition(row_id, room); !status) return status;
        }
        while (!others.empty() && room.is_left()) {
            const std::int64_t row_id = others.extract(others.begin()).value();
            if (Status status = read_definition(row_id, room); !status) return status;
        }
        leave_out(out_, others);
        hand_out_definitions();
        return ok();
    }

    void hand_out_definitions() {
        for (auto& [key, row] : out_.definitions) {
            if (!row) continue;
            const auto found = contents_.find(row->ref.row_id);
            if (found == contents_.end()) {
                out_.unreadable.definitions.push_back(key);
                row.reset();
                continue;
            }
            row->definition = found->second.definition;
            row->bytes = found->second.bytes;
        }
        for (const auto& [row_id, ref] : in_use_) {
            const auto found = contents_.find(row_id);
            if (found == contents_.end()) continue;
            out_.instance_definitions.push_back(
                {.ref = ref, .definition = found->second.definition, .bytes = found->second.bytes});
        }
    }

    // The definition in a row that is there.
    Status read_definition(std::int64_t row_id, ReadingRoom& room) {
        DefinitionCache::Kept kept = cache_.find(row_id);
        if (kept.definition == nullptr) {
            Status parsed = ok();
            const auto parse = [&](const Row& row) -> Status {
                const Result<DefinitionCache::Kept> added = cache_.add(row_id, row.text(1));
                added ? void(kept = *added) : void(parsed = added.error());
                return ok();
            };
            Status status = connection_.for_each(sql::load_definition_contents, parse, row_id);
            if (!status) return status;
            if (!parsed) return note_reason(parsed.error());
        }
        room.take(kept.bytes);
        if (kept.definition != nullptr) contents_.emplace(row_id, kept);
        return ok();
    }

    Connection& connection_;
    DefinitionCache& cache_;
    LoadedRows& out_;
    DefinitionsInUse in_use_;
    std::map<std::int64_t, DefinitionCache::Kept> contents_;  // By row id.
};

}  // namespace

Result<LoadedRows> load_rows(Connection& connection, DefinitionCache& cache,
                             const Footprint& footprint) {
    LoadedRows rows;
    if (Status status = Loader(connection, cache, rows).load(footprint); !status) {
        return status.error();
    }
    return rows;
}

}  // namespace millrace::sqlite
