#include "store/postgres/load_calls.hpp"

#include <algorithm>

#include "store/postgres/decode.hpp"
#include "store/postgres/queue_rows.hpp"
#include "store/postgres/row_parameters.hpp"

namespace millrace::postgres {

namespace {

// Where the statements tell how long what can be large is.
constexpr int kInstanceBytes = 17;
constexpr int kJobBytes = 16;

Call load_instances(const std::vector<InstanceKey>& keys, std::int64_t each_max) {
    return call(sql::load_instances, measured_columns(keys, each_max));
}

Call load_jobs(const std::vector<JobKey>& keys, std::int64_t each_max) {
    return call(sql::load_jobs, measured_columns(keys, each_max));
}

template <class Key>
Parameters names(const std::vector<Key>& rows) {
    Parameters p;
    p.add_column(rows, [](const Key& key) -> std::string_view { return key.workspace_id.value; });
    p.add_column(rows, [](const Key& key) -> std::string_view { return key.id; });
    return p;
}

Parameters parameters_of(const std::vector<IdempotencyKey>& rows) {
    using Key = IdempotencyKey;
    Parameters p;
    p.add_column(rows, [](const Key& key) -> std::string_view { return key.workspace_id.value; });
    p.add_column(rows, [](const Key& key) -> std::string_view { return key.operation; });
    p.add_column(rows, [](const Key& key) -> std::string_view { return key.key; });
    return p;
}

Call load_definitions(const std::vector<DefinitionKey>& rows) {
    Parameters p = names(rows);
    p.add_column(rows, [](const DefinitionKey& key) { return key.version; });
    return call(sql::load_definitions, std::move(p));
}

Call load_uploads(const std::vector<UploadKey>& rows) {
    Parameters p = names(rows);
    p.add_column(rows, [](const UploadKey& key) -> std::string_view { return key.canonical; });
    return call(sql::load_uploads, std::move(p));
}

Call load_workspaces(const std::vector<WorkspaceId>& ids) {
    Parameters p;
    p.add_column(ids, [](const WorkspaceId& id) -> std::string_view { return id.value; });
    return call(sql::load_workspaces, std::move(p));
}

Call load_api_keys(const std::vector<std::string>& ids) {
    Parameters p;
    p.add_column(ids, [](const std::string& id) -> std::string_view { return id; });
    return call(sql::load_api_keys, std::move(p));
}

}  // namespace

std::vector<Call> find_locked(const Footprint& footprint) {
    Parameters p;
    add_key_columns(p, footprint.instances);
    add_key_columns(p, footprint.jobs);
    add_key_columns(p, footprint.user_tasks);
    add_key_columns(p, footprint.executions);
    std::vector<Call> calls;
    calls.push_back(call(sql::find_locked, std::move(p)));
    calls.push_back(call(sql::find_locked_keys, parameters_of(footprint.idempotency_keys)));
    return calls;
}

std::vector<Id128> read_locked(const Footprint& footprint, std::span<const Rows> answers) {
    std::vector<Id128> locked;
    for (int i = 0; i < answers[0].size(); ++i) {
        locked.push_back(Fields(answers[0], i).id().with_sequence(0));
    }
    for (int i = 0; i < answers[1].size(); ++i) {
        const auto place = static_cast<std::size_t>(Fields(answers[1], i).int64());
        const Footprint key{.idempotency_keys = {footprint.idempotency_keys[place - 1]}};
        locked.push_back(key.holds().front());
    }
    return locked;
}

// All locks first, in the order in which every batch takes them; then all reads, which see what
// those who had the locks before have committed.
void Loading::append_calls(std::vector<Call>& calls) {
    append_locks(calls);
    append_reads(calls);
    if (admission_) admission_->append_calls(calls);
}

void Loading::append_locks(std::vector<Call>& calls) {
    const Footprint& f = footprint_;
    if (!f.idempotency_keys.empty()) {
        add(calls, call(sql::lock_idempotency_keys, parameters_of(f.idempotency_keys)), nullptr);
    }
    if (!f.uploads.empty()) add(calls, call(sql::lock_uploads, names(f.uploads)), nullptr);
    if (!f.instances.empty()) {
        add(calls, load_instances(f.instances, bytes_each_max(f.bound, f.instances.size())),
            &Loading::read_instances);
    }
    if (!f.jobs.empty()) {
        add(calls, load_jobs(f.jobs, bytes_each_max(f.bound, f.jobs.size())), &Loading::read_jobs);
    }
    if (!f.user_tasks.empty()) {
        add(calls, call(sql::load_user_tasks, key_columns(f.user_tasks)),
            &Loading::read_user_tasks);
    }
    if (!f.api_keys.empty()) add(calls, load_api_keys(f.api_keys), &Loading::read_api_keys);
    if (!locks_executions()) return;
    add(calls, call(sql::lock_executions, execution_parameters()), nullptr);
}

void Loading::append_reads(std::vector<Call>& calls) {
    const Footprint& f = footprint_;
    if (!f.idempotency_keys.empty()) {
        add(calls, call(sql::load_idempotency_keys, parameters_of(f.idempotency_keys)),
            &Loading::read_idempotency_records);
    }
    if (locks_executions()) {
        add(calls, call(sql::load_executions, execution_parameters()), &Loading::read_executions);
    }
    if (!f.step_executions.empty()) {
        add(calls, call(sql::load_step_executions, key_columns(f.step_executions)),
            &Loading::read_step_executions);
    }
    if (!f.definitions.empty()) {
        add(calls, load_definitions(f.definitions), &Loading::read_definitions);
    }
    if (!f.uploads.empty()) add(calls, load_uploads(f.uploads), &Loading::read_uploads);
    if (!f.workspaces.empty()) {
        add(calls, load_workspaces(f.workspaces), &Loading::read_workspaces);
    }
}

void Loading::add(std::vector<Call>& calls, Call call, Reading reading) {
    calls.push_back(std::move(call));
    readers_.push_back(reading);
}

// A batch that has executions in hand waits for none later on: it takes those of its instances,
// too, which may end, in the same pass. Where there are none in hand, an end waits for its own.
bool Loading::locks_executions() const {
    const Footprint& f = footprint_;
    const bool has_some = !f.executions.empty() || f.admission || f.executions_of_instances;
    return !f.executions.empty() || (has_some && !f.instances.empty());
}

Parameters Loading::execution_parameters() const {
    Parameters p = key_columns(footprint_.executions);
    add_key_columns(p, footprint_.instances);
    return p;
}

Status Loading::read(std::span<const Rows> answers) {
    auto answer = answers.begin();
    for (const Reading reading : readers_) {
        const Rows& rows = *answer++;
        if (reading == nullptr) continue;  // A lock has nothing to say.
        if (const Status status = (this->*reading)(rows); !status) return status;
    }
    if (!admission_) return ok();
    return admission_->read(std::span(answer, admission_->size()));
}

Result<bool> Loading::has_missed(Connection& connection) const {
    const std::vector<Instance>& locked = rows_.instances;
    if (locked.size() == footprint_.instances.size()) return false;
    const std::vector<InstanceKey>& unreadable = rows_.unreadable.instances;
    std::vector<InstanceKey> absent;
    for (const InstanceKey& key : footprint_.instances) {
        if (std::ranges::binary_search(locked, key, {}, &Instance::key)) continue;
        if (large_instances_.contains(key)) continue;
        if (std::ranges::find(unreadable, key) == unreadable.end()) absent.push_back(key);
    }
    if (absent.empty()) return false;
    const auto answers = connection.run({call(sql::present_instances, key_columns(absent))});
    if (!answers) return answers.error();
    return answers->front().size() > 0;
}

Result<LoadedRows> Loading::complete(Connection& connection, DefinitionCache& cache) {
    if (const Status status = read_large(connection); !status) return status.error();
    if (const Status status = complete_admission(connection); !status) return status.error();
    const Status status = definitions_.complete(connection, cache, rows_);
    if (!status) return status.error();
    rows_.left_out.normalise();
    return std::move(rows_);
}

// They are locked already, so that nothing is waited for and nothing has changed.
Status Loading::read_large(Connection& connection) {
    if (large_instances_.empty() && large_jobs_.empty()) return ok();
    const auto instances = large_instances_.parts(footprint_.bound);
    const auto jobs = large_jobs_.parts(footprint_.bound);
    for (const InstanceKey& key : instances.left) {
        rows_.left_out.instances.push_back(key.id.value);
    }
    for (const JobKey& key : jobs.left) {
        rows_.left_out.instances.push_back(instance_of(key.id).value);
    }
    const Result<std::vector<Rows>> answers = connection.run(
        {load_instances(instances.fitting, kAnyLength), load_jobs(jobs.fitting, kAnyLength)});
    if (!answers) return answers.error();
    is_any_length_ = true;
    if (const Status status = read_instances(answers->front()); !status) return status;
    std::ranges::sort(rows_.instances, {}, &Instance::key);
    return read_jobs(answers->back());
}

template <class Key>
void Loading::note_unreadable(std::vector<Key>& keys, const Rows& answer, int row,
                              const Error& error) {
    keys.push_back(decode_key<Key>(Fields(answer, row)));
    rows_.unreadable.reasons.push_back(error.detail);
}

Status Loading::read_idempotency_records(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Result<IdempotencyRecord> record = decode_idempotency_record(fields);
        if (!record) return record.error();
        rows_.idempotency_records.push_back(std::move(*record));
    }
    return ok();
}

Status Loading::read_instances(const Rows& answer) {
    const std::int64_t each_max = each_max_of(footprint_.instances.size());
    rows_.instances.reserve(rows_.instances.size() + static_cast<std::size_t>(answer.size()));
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        const std::int64_t bytes = Fields(answer, i, kInstanceBytes).int64();
        if (bytes > each_max) {
            large_instances_.add(decode_key<InstanceKey>(fields), bytes);
            continue;
        }
        Result<Instance> instance = decode_instance(fields);
        if (!instance) {
            note_unreadable(rows_.unreadable.instances, answer, i, instance.error());
            continue;
        }
        const bool has_definition = fields.boolean();
        const DefinitionRef& ref = instance->definition;
        if (has_definition && definitions_.need(ref.row_id)) {
            rows_.instance_definitions.push_back({.ref = ref});
        }
        rows_.instances.push_back(std::move(*instance));
    }
    return ok();
}

Status Loading::read_jobs(const Rows& answer) {
    const std::int64_t each_max = each_max_of(footprint_.jobs.size());
    rows_.jobs.reserve(rows_.jobs.size() + static_cast<std::size_t>(answer.size()));
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        const std::int64_t bytes = Fields(answer, i, kJobBytes).optional_int64().value_or(0);
        if (bytes > each_max) {
            large_jobs_.add(decode_key<JobKey>(fields), bytes);
            continue;
        }
        Result<Job> job = decode_job(fields);
        if (!job) {
            note_unreadable(rows_.unreadable.jobs, answer, i, job.error());
            continue;
        }
        rows_.jobs.push_back(std::move(*job));
    }
    return ok();
}

Status Loading::read_user_tasks(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Result<UserTask> row = decode_user_task(fields);
        if (!row) {
            note_unreadable(rows_.unreadable.user_tasks, answer, i, row.error());
            continue;
        }
        rows_.user_tasks.push_back(std::move(*row));
    }
    return ok();
}

Status Loading::read_api_keys(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Result<ApiKey> row = decode_api_key(fields);
        if (!row) return row.error();
        rows_.api_keys.push_back(std::move(*row));
    }
    return ok();
}

Status Loading::read_step_executions(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Result<StepExecution> row = decode_step_execution(fields);
        if (!row) {
            note_unreadable(rows_.unreadable.step_executions, answer, i, row.error());
            continue;
        }
        rows_.step_executions.push_back(std::move(*row));
    }
    return ok();
}

Status Loading::read_definitions(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        const DefinitionKey& key = footprint_.definitions[static_cast<std::size_t>(i)];
        std::optional<DefinitionRow> row;
        Fields fields(answer, i);
        if (!fields.is_null()) {
            const std::int64_t row_id = fields.int64();
            row.emplace().ref = {.row_id = row_id, .id = key.id, .version = fields.int32()};
            definitions_.need(row_id);
        }
        rows_.definitions.emplace_back(key, std::move(row));
    }
    return ok();
}

Status Loading::read_uploads(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        UploadRow row;
        row.latest_version = fields.int32();
        row.same_version = fields.int32();
        row.same_uploaded_at = fields.optional_instant().value_or(Instant{});
        rows_.uploads.emplace_back(footprint_.uploads[static_cast<std::size_t>(i)], row);
    }
    return ok();
}

Status Loading::read_executions(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Result<Execution> row = decode_execution(fields);
        if (!row) {
            note_unreadable(rows_.unreadable.executions, answer, i, row.error());
            continue;
        }
        rows_.executions.push_back(std::move(*row));
    }
    return ok();
}

Status Loading::read_workspaces(const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Result<Workspace> row = decode_workspace_row(fields);
        if (!row) return row.error();
        rows_.workspaces.push_back(std::move(*row));
    }
    return ok();
}

Status Loading::complete_admission(Connection& connection) {
    if (!admission_) return ok();
    if (const Status status = admission_->complete(connection); !status) return status;
    for (const DefinitionRef& ref : admission_->definitions()) {
        if (definitions_.need(ref.row_id)) {
            rows_.instance_definitions.push_back({.ref = ref});
        }
    }
    rows_.unreadable.add(admission_->take_unreadable());
    rows_.admission = admission_->take_rows();
    return ok();
}

// The large ones are asked for once more, whatever their length.
std::int64_t Loading::each_max_of(std::size_t rows) const {
    return is_any_length_ ? kAnyLength : bytes_each_max(footprint_.bound, rows);
}

}  // namespace millrace::postgres
