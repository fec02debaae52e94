#include "store/sqlite/load_rows.hpp"

#include <set>

#include "store/sqlite/load_admission.hpp"
#include "store/sqlite/queue_rows.hpp"
#include "store/sqlite/rows.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

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
        return definitions_in_use();
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

    Status note_definition(const DefinitionKey& key, const Error& error) {
        if (error.code == ErrorCode::internal) out_.unreadable.definitions.push_back(key);
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
        const auto add = [&](const Row& row) -> Status {
            Result<Instance> instance = instance_from(row);
            if (!instance) return note_unreadable(out_.unreadable.instances, row, instance.error());
            const DefinitionRef& ref = instance->definition;
            if (row.integer(kDefinitionExists) != 0) in_use_.try_emplace(ref.row_id, ref);
            out_.instances.push_back(std::move(*instance));
            return ok();
        };
        for (const InstanceKey& key : footprint.instances) {
            Status status =
                connection_.for_each(sql::load_instances, add, key.workspace_id, key.id);
            if (!status) return status;
        }
        return ok();
    }

    Status jobs(const Footprint& footprint) {
        const auto add = [&](const Row& row) -> Status {
            Result<Job> job = job_from(row);
            if (!job) return note_unreadable(out_.unreadable.jobs, row, job.error());
            out_.jobs.push_back(std::move(*job));
            return ok();
        };
        for (const JobKey& key : footprint.jobs) {
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

    Status definitions(const Footprint& footprint) {
        for (const DefinitionKey& key : footprint.definitions) {
            std::optional<DefinitionRow> found;
            const auto read = [&](const Row& row) -> Status {
                const auto version = static_cast<std::int32_t>(row.integer(1));
                const Result<DefinitionPtr> definition = parsed(row.integer(0));
                if (!definition) return note_definition(key, definition.error());
                found = DefinitionRow{{row.integer(0), key.id, version}, *definition};
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

    Status definitions_in_use() {
        for (const auto& [row_id, ref] : in_use_) {
            const Result<DefinitionPtr> definition = parsed(row_id);
            if (!definition) {
                if (Status noted = note_reason(definition.error()); !noted) return noted;
                continue;
            }
            out_.instance_definitions.push_back({.ref = ref, .definition = *definition});
        }
        return ok();
    }

    // The definition in a row that is there.
    Result<DefinitionPtr> parsed(std::int64_t row_id) {
        Result<DefinitionPtr> definition = cache_.find(row_id);
        if (*definition != nullptr) return definition;
        const auto parse = [&](const Row& row) -> Status {
            definition = cache_.add(row_id, row.text(1));
            return definition ? ok() : Status(definition.error());
        };
        Status status = connection_.for_each(sql::load_definition_contents, parse, row_id);
        if (!status) return status.error();
        return definition;
    }

    Connection& connection_;
    DefinitionCache& cache_;
    LoadedRows& out_;
    DefinitionsInUse in_use_;
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
