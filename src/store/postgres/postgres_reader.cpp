#include "store/postgres/postgres_reader.hpp"

#include "store/id_range.hpp"
#include "store/list_texts.hpp"
#include "store/postgres/answer_lists.hpp"
#include "store/postgres/decode.hpp"
#include "store/postgres/row_parameters.hpp"

namespace millrace::postgres {

namespace {

constexpr int kFoundColumn = 16;       // Of a list of instances, behind them,
constexpr int kLinesFoundColumn = 12;  // and of a history.

constexpr const char* kBeginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

template <class Key>
Parameters parameters_of(const Key& key) {
    Parameters parameters;
    parameters.add(std::string_view(key.workspace_id.value));
    parameters.add(key.id.value);
    return parameters;
}

Parameters parameters_of(const DefinitionFilter& filter) {
    Parameters parameters;
    parameters.add(std::string_view(filter.workspace_id.value));
    parameters.add(std::string_view(filter.keyword));
    return parameters;
}

Parameters parameters_of(const InstanceFilter& filter, const IdRange& range) {
    const std::optional<std::string> statuses = statuses_text(filter);
    Parameters parameters;
    parameters.add(std::string_view(filter.workspace_id.value));
    parameters.add(view(filter.definition_id));
    parameters.add(view(statuses));
    parameters.add(view(filter.business_key));
    parameters.add(filter.definition_version);
    parameters.add(filter.started_from);
    parameters.add(filter.started_before);
    filter.is_suspended ? parameters.add(std::int32_t{*filter.is_suspended ? 1 : 0})
                        : parameters.add_null();
    filter.text.empty() ? parameters.add_null() : parameters.add(std::string_view(filter.text));
    parameters.add(range.first);
    parameters.add(range.last);
    return parameters;
}

Parameters parameters_of(const JobFilter& filter, const IdRange& range) {
    Parameters parameters;
    parameters.add(std::string_view(filter.workspace_id.value));
    parameters.add(view(filter.job_type));
    filter.status ? parameters.add(to_string(*filter.status)) : parameters.add_null();
    parameters.add(view(filter.worker_id));
    parameters.add(range.first);
    parameters.add(range.last);
    return parameters;
}

Parameters parameters_of(const UserTaskFilter& filter, const IdRange& range) {
    const std::optional<std::string> group = group_pattern(filter);
    Parameters parameters;
    parameters.add(std::string_view(filter.workspace_id.value));
    filter.status ? parameters.add(to_string(*filter.status)) : parameters.add_null();
    parameters.add(view(filter.definition_id));
    parameters.add(view(filter.step_id));
    parameters.add(view(filter.assignee));
    parameters.add(view(group));
    parameters.add(range.first);
    parameters.add(range.last);
    return parameters;
}

Parameters parameters_of(const ApiKeyFilter& filter) {
    Parameters parameters;
    filter.workspace_id ? parameters.add(std::string_view(filter.workspace_id->value))
                        : parameters.add_null();
    return parameters;
}

Parameters parameters_of(const AuditFilter& filter, const IdRange& range) {
    const std::optional<std::string> kinds = kinds_text(filter);
    Parameters parameters;
    parameters.add(std::string_view(filter.workspace_id.value));
    parameters.add(view(kinds));
    parameters.add(view(filter.key_id));
    filter.instance_id ? parameters.add(filter.instance_id->value) : parameters.add_null();
    parameters.add(filter.since);
    parameters.add(filter.until);
    parameters.add(range.first);
    parameters.add(range.last);
    return parameters;
}

// The same for a list by id.
template <class Filter>
Result<std::vector<Call>> listing_calls(ListQuery query, const Filter& filter, const Page& page) {
    const Result<IdRange> range = range_of(filter, page);
    const Result<IdRange> whole = range_of(filter, Page{});
    if (!range) return range.error();
    return listing_calls(query, parameters_of(filter, *range), parameters_of(filter, *whole), page);
}

Result<DefinitionRecord> decode_definition(Fields& fields) {
    DefinitionRecord record;
    record.workspace_id.value = fields.text();
    record.id = fields.text();
    record.version = fields.int32();
    record.name = fields.text();
    record.content = fields.text();
    record.canonical = fields.text();
    record.uploaded_at = fields.instant();
    return record;
}

Result<DefinitionSummary> decode_summary(Fields& fields) {
    DefinitionSummary item;
    item.id = fields.text();
    item.version = fields.int32();
    item.name = fields.text();
    item.uploaded_at = fields.instant();
    return item;
}

Result<DefinitionName> decode_name(Fields& fields) {
    DefinitionName name;
    name.workspace_id.value = fields.text();
    name.id = fields.text();
    return name;
}

Result<WorkspaceId> decode_workspace(Fields& fields) {
    return WorkspaceId{std::string(fields.text())};
}

}  // namespace

PostgresReader::PostgresReader(PostgresOptions options)
    : options_(std::move(options)), connection_(connection_options(options_)) {}

Result<std::optional<DefinitionRecord>> PostgresReader::definition(const WorkspaceId& workspace_id,
                                                                   const std::string& id,
                                                                   std::int32_t version) {
    Parameters parameters;
    parameters.add(std::string_view(workspace_id.value));
    parameters.add(std::string_view(id));
    parameters.add(version);
    const auto answers = run(one(call(sql::read_definition, std::move(parameters))));
    if (!answers) return answers.error();
    return first_of<DefinitionRecord>(answers->front(), &decode_definition);
}

Result<Listing<DefinitionSummary>> PostgresReader::definitions(const DefinitionFilter& filter,
                                                               Page page) {
    Parameters listed = parameters_of(filter);
    listed.add(std::string_view(page.after));
    const auto answers = run(listing_calls({sql::list_definitions, sql::count_definitions},
                                           std::move(listed), parameters_of(filter), page));
    if (!answers) return answers.error();
    return listing_of<DefinitionSummary>(*answers, &decode_summary, page, options_.on_trouble);
}

Result<bool> PostgresReader::is_definition_elsewhere(const WorkspaceId& workspace_id,
                                                     const std::string& id) {
    Parameters parameters;
    parameters.add(std::string_view(workspace_id.value));
    parameters.add(std::string_view(id));
    const auto answers = run(one(call(sql::definition_elsewhere, std::move(parameters))));
    if (!answers) return answers.error();
    return answers->front().size() > 0;
}

Result<Listing<DefinitionSummary>> PostgresReader::definition_versions(
    const WorkspaceId& workspace_id, const std::string& id, Page page) {
    Parameters named;
    named.add(std::string_view(workspace_id.value));
    named.add(std::string_view(id));
    Parameters listed = named;
    listed.add(version_before(page));
    const auto answers =
        run(listing_calls({sql::list_definition_versions, sql::count_definition_versions},
                          std::move(listed), std::move(named), page));
    if (!answers) return answers.error();
    return listing_of<DefinitionSummary>(*answers, &decode_summary, page, options_.on_trouble);
}

Result<std::optional<Instance>> PostgresReader::instance(const InstanceKey& key) {
    const auto answers = run(one(call(sql::read_instance, parameters_of(key))));
    if (!answers) return answers.error();
    return first_of<Instance>(answers->front(), &decode_instance);
}

Result<std::optional<WorkspaceId>> PostgresReader::workspace_of_instance(InstanceId id) {
    Parameters parameters;
    parameters.add(id.value);
    const auto answers = run(one(call(sql::workspace_of_instance, std::move(parameters))));
    if (!answers) return answers.error();
    return first_of<WorkspaceId>(answers->front(), &decode_workspace);
}

Result<Listing<Instance>> PostgresReader::instances(const InstanceFilter& filter, Page page) {
    const sql::Statement& list =
        filter.oldest_first ? sql::list_oldest_instances : sql::list_instances;
    auto calls = listing_calls({list, sql::count_instances}, filter, page);
    if (!calls) return calls.error();
    calls->front().parameters.add(page.bytes_max);
    const auto answers = run(std::move(*calls), Planning::anew);
    if (!answers) return answers.error();
    Result<Listing<Instance>> listing =
        listing_of<Instance>(*answers, &decode_instance, page, options_.on_trouble);
    const Rows& rows = answers->front();
    if (!listing || rows.size() == 0) return listing;
    const std::int64_t found = Fields(rows, 0, kFoundColumn).int64();
    listing->has_more = found > std::min<std::int64_t>(rows.size(), page.size);
    return listing;
}

Result<std::optional<InstanceHistory>> PostgresReader::history(const InstanceKey& key,
                                                               const HistoryPart& part) {
    Parameters range;
    range.add(std::string_view(key.workspace_id.value));
    range.add(key.id.value.with_sequence(part.after));
    range.add(key.id.value.with_sequence(0xFFFF'FFFF));
    range.add(std::int64_t{part.count_max} + 1);
    range.add(part.bytes_max);
    std::vector<Call> calls = one(call(sql::read_instance, parameters_of(key)));
    calls.push_back(call(sql::read_history, std::move(range)));
    const auto answers = run(std::move(calls));
    if (!answers) return answers.error();

    Result<std::optional<Instance>> instance =
        first_of<Instance>(answers->front(), &decode_instance);
    if (!instance) return instance.error();
    if (!*instance) return std::optional<InstanceHistory>{};
    InstanceHistory history{.instance = std::move(**instance)};
    const Rows& lines = answers->back();
    const int shown = std::min<std::int32_t>(lines.size(), part.count_max);
    for (int i = 0; i < shown; ++i) {
        Fields fields(lines, i);
        Result<StepExecution> row = decode_step_execution(fields);
        if (!row) return row.error();
        history.closed.push_back(std::move(*row));
    }
    history.has_more = shown > 0 && Fields(lines, 0, kLinesFoundColumn).int64() > shown;
    return std::optional(std::move(history));
}

Result<std::optional<Job>> PostgresReader::job(const JobKey& key) {
    const auto answers = run(one(call(sql::read_job, parameters_of(key))));
    if (!answers) return answers.error();
    return first_of<Job>(answers->front(), &decode_job);
}

Result<Listing<Job>> PostgresReader::jobs(const JobFilter& filter, Page page) {
    auto calls = listing_calls({sql::list_jobs, sql::count_jobs}, filter, page);
    if (!calls) return calls.error();
    const auto answers = run(std::move(*calls), Planning::anew);
    if (!answers) return answers.error();
    return listing_of<Job>(*answers, &decode_job, page, options_.on_trouble);
}

Result<std::optional<UserTask>> PostgresReader::user_task(const UserTaskKey& key) {
    const auto answers = run(one(call(sql::read_user_task, parameters_of(key))));
    if (!answers) return answers.error();
    return first_of<UserTask>(answers->front(), &decode_user_task);
}

Result<Listing<UserTask>> PostgresReader::user_tasks(const UserTaskFilter& filter, Page page) {
    // The open ones have an index of their own.
    const bool is_open = filter.status == UserTaskState::open;
    const ListQuery query = is_open
                                ? ListQuery{sql::list_open_user_tasks, sql::count_open_user_tasks}
                                : ListQuery{sql::list_user_tasks, sql::count_user_tasks};
    auto calls = listing_calls(query, filter, page);
    if (!calls) return calls.error();
    const auto answers = run(std::move(*calls), Planning::anew);
    if (!answers) return answers.error();
    return listing_of<UserTask>(*answers, &decode_user_task, page, options_.on_trouble);
}

Result<std::optional<ApiKey>> PostgresReader::api_key(const std::string& id) {
    Parameters parameters;
    parameters.add(std::string_view(id));
    const auto answers = run(one(call(sql::read_api_key, std::move(parameters))));
    if (!answers) return answers.error();
    return first_of<ApiKey>(answers->front(), &decode_api_key);
}

Result<Listing<ApiKey>> PostgresReader::api_keys(const ApiKeyFilter& filter, Page page) {
    Parameters listed = parameters_of(filter);
    listed.add(std::string_view(page.after));
    const auto answers = run(listing_calls({sql::list_api_keys, sql::count_api_keys},
                                           std::move(listed), parameters_of(filter), page));
    if (!answers) return answers.error();
    return listing_of<ApiKey>(*answers, &decode_api_key, page, options_.on_trouble);
}

Result<Listing<AuditEntry>> PostgresReader::audit(const AuditFilter& filter, Page page) {
    auto calls = listing_calls({sql::list_audit_entries, sql::count_audit_entries}, filter, page);
    if (!calls) return calls.error();
    const auto answers = run(std::move(*calls), Planning::anew);
    if (!answers) return answers.error();
    return listing_of<AuditEntry>(*answers, &decode_audit_entry, page, options_.on_trouble);
}

Result<std::optional<Instant>> PostgresReader::oldest_idempotency_record() {
    return read_instant(sql::oldest_idempotency_record);
}

Result<std::vector<Due<TimerKey>>> PostgresReader::due_timers(
    Instant now, const std::optional<Due<TimerKey>>& after, std::int32_t count_max) {
    const auto answers = run(one(due_call(sql::due_timers, now, count_max, after)));
    if (!answers) return answers.error();
    return due_of<TimerKey>(answers->front());
}

Result<std::optional<Instant>> PostgresReader::next_timer(Instant after) {
    Parameters parameters;
    parameters.add(after);
    return read_instant(sql::next_timer, std::move(parameters));
}

Result<std::vector<Due<JobKey>>> PostgresReader::expired_leases(
    Instant now, const std::optional<Due<JobKey>>& after, std::int32_t count_max) {
    const auto answers = run(one(due_call(sql::expired_leases, now, count_max, after)));
    if (!answers) return answers.error();
    return due_of<JobKey>(answers->front());
}

Result<std::optional<Instant>> PostgresReader::next_lease_expiry(Instant after) {
    Parameters parameters;
    parameters.add(after);
    return read_instant(sql::next_lease_expiry, std::move(parameters));
}

Result<std::optional<DefinitionName>> PostgresReader::next_definition(const DefinitionName& after) {
    Parameters parameters;
    parameters.add(std::string_view(after.workspace_id.value));
    parameters.add(std::string_view(after.id));
    const auto answers = run(one(call(sql::next_definition, std::move(parameters))));
    if (!answers) return answers.error();
    return first_of<DefinitionName>(answers->front(), &decode_name);
}

Result<std::vector<InstanceEnd>> PostgresReader::instance_ends(const DefinitionName& definition,
                                                               InstanceId after, InstanceId before,
                                                               std::int32_t count_max) {
    Parameters parameters;
    parameters.add(std::string_view(definition.workspace_id.value));
    parameters.add(std::string_view(definition.id));
    parameters.add(after.value);
    parameters.add(before.value);
    parameters.add(std::int64_t{count_max});
    const auto answers = run(one(call(sql::instance_ends, std::move(parameters))));
    if (!answers) return answers.error();
    std::vector<InstanceEnd> ends;
    for (int i = 0; i < answers->front().size(); ++i) {
        Fields fields(answers->front(), i);
        const InstanceId id{fields.id()};
        ends.push_back({id, fields.optional_instant()});
    }
    return ends;
}

Result<std::optional<WorkspaceId>> PostgresReader::next_audited_workspace(
    const WorkspaceId& after) {
    Parameters parameters;
    parameters.add(std::string_view(after.value));
    const auto answers = run(one(call(sql::next_audited_workspace, std::move(parameters))));
    if (!answers) return answers.error();
    return first_of<WorkspaceId>(answers->front(), &decode_workspace);
}

Result<std::vector<AuditKey>> PostgresReader::oldest_audit_entries(const WorkspaceId& workspace_id,
                                                                   AuditEntryId before,
                                                                   std::int32_t count_max) {
    Parameters parameters;
    parameters.add(std::string_view(workspace_id.value));
    parameters.add(before.value);
    parameters.add(std::int64_t{count_max});
    const auto answers = run(one(call(sql::oldest_audit_entries, std::move(parameters))));
    if (!answers) return answers.error();
    return keys_of<AuditKey>(answers->front());
}

Result<std::vector<Rows>> PostgresReader::run(std::vector<Call> work, Planning planning) {
    if (const Status status = connection_.open(); !status) return status.error();
    std::vector<Call> calls = opening(kBeginSnapshot, options_, planning);
    for (Call& each : work) calls.push_back(std::move(each));
    calls.push_back(command("COMMIT"));  // Of nothing: there is no doubt about it.
    Result<std::vector<Rows>> answers = connection_.run(calls);
    if (!answers) {
        if (connection_.is_open()) (void)connection_.run({command("ROLLBACK")});
        return answers;
    }
    answers->pop_back();
    answers->erase(answers->begin(), answers->begin() + kOpeningCalls);
    return answers;
}

Result<std::optional<Instant>> PostgresReader::read_instant(const sql::Statement& statement,
                                                            Parameters parameters) {
    const auto answers = run(one(call(statement, std::move(parameters))));
    if (!answers) return answers.error();
    if (answers->front().size() == 0) return std::optional<Instant>{};
    return Fields(answers->front(), 0).optional_instant();
}

}  // namespace millrace::postgres
