#include "store/sqlite/sqlite_reader.hpp"

#include "store/id_range.hpp"
#include "store/list_texts.hpp"
#include "store/sqlite/row_lists.hpp"
#include "store/sqlite/rows.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

Result<DefinitionSummary> summary_from(const Row& row) {
    return DefinitionSummary{
        .id = std::string(row.text(0)),
        .version = static_cast<std::int32_t>(row.integer(1)),
        .name = std::string(row.text(2)),
        .uploaded_at = row.instant(3),
    };
}

Result<DefinitionName> name_from(const Row& row) {
    return DefinitionName{{std::string(row.text(0))}, std::string(row.text(1))};
}

Result<InstanceEnd> end_from(const Row& row) {
    const std::optional<Id128> id = row.id(0);
    if (!id) return Error{ErrorCode::internal, "A stored id is corrupt."};
    InstanceEnd end{.id = {*id}};
    if (!row.is_null(1)) end.completed_at = row.instant(1);
    return end;
}

// Of what can be large: variables and state.
// Where a line of history has what can be large.
constexpr int kLineReason = 8;
constexpr int kLineTries = 10;

std::int64_t instance_bytes(const Row& row) {
    constexpr int kVariables = 7;
    constexpr int kState = 8;
    return std::ssize(row.text(kVariables)) + std::ssize(row.text(kState));
}

struct InstanceQueries {
    const sql::Statement& list;
    const sql::Statement& count;
};

// The business key is the narrowest.
InstanceQueries queries_for(const InstanceFilter& filter) {
    if (filter.oldest_first) return {sql::list_oldest_instances, sql::count_oldest_instances};
    if (filter.business_key) {
        return {sql::list_instances_of_business_key, sql::count_instances_of_business_key};
    }
    if (filter.definition_id) {
        return {sql::list_instances_of_definition, sql::count_instances_of_definition};
    }
    return {sql::list_instances, sql::count_instances};
}

}  // namespace

Result<std::optional<DefinitionRecord>> SqliteReader::definition(const WorkspaceId& workspace_id,
                                                                 const std::string& id,
                                                                 std::int32_t version) {
    return in_snapshot<std::optional<DefinitionRecord>>([&](Connection& connection) {
        return read_first<DefinitionRecord>(connection, sql::read_definition, definition_from,
                                            workspace_id, id, version);
    });
}

Result<Listing<DefinitionSummary>> SqliteReader::definitions(const DefinitionFilter& filter,
                                                             Page page) {
    return in_snapshot<Listing<DefinitionSummary>>([&](Connection& connection) {
        return listing(
            read_listed<DefinitionSummary>(on_trouble_, connection, sql::list_definitions,
                                           summary_from, filter.workspace_id, filter.keyword,
                                           page.after, fetched(page), skipped(page)),
            read_first<std::int64_t>(connection, sql::count_definitions, integer_from,
                                     filter.workspace_id, filter.keyword, kCountMax),
            page);
    });
}

Result<bool> SqliteReader::is_definition_elsewhere(const WorkspaceId& workspace_id,
                                                   const std::string& id) {
    const auto found = in_snapshot<std::optional<std::int64_t>>([&](Connection& connection) {
        return read_first<std::int64_t>(connection, sql::definition_elsewhere, integer_from,
                                        workspace_id, id);
    });
    if (!found) return found.error();
    return found->has_value();
}

Result<Listing<DefinitionSummary>> SqliteReader::definition_versions(
    const WorkspaceId& workspace_id, const std::string& id, Page page) {
    return in_snapshot<Listing<DefinitionSummary>>([&](Connection& connection) {
        return listing(read_listed<DefinitionSummary>(
                           on_trouble_, connection, sql::list_definition_versions, summary_from,
                           workspace_id, id, version_before(page), fetched(page), skipped(page)),
                       read_first<std::int64_t>(connection, sql::count_definition_versions,
                                                integer_from, workspace_id, id, kCountMax),
                       page);
    });
}

Result<std::optional<Instance>> SqliteReader::instance(const InstanceKey& key) {
    return in_snapshot<std::optional<Instance>>([&](Connection& connection) {
        return read_first<Instance>(connection, sql::read_instance, instance_from, key.workspace_id,
                                    key.id);
    });
}

Result<std::optional<WorkspaceId>> SqliteReader::workspace_of_instance(InstanceId id) {
    return in_snapshot<std::optional<WorkspaceId>>([&](Connection& connection) {
        return read_first<WorkspaceId>(connection, sql::workspace_of_instance, workspace_id_from,
                                       id);
    });
}

Result<Listing<Instance>> SqliteReader::instances(const InstanceFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    const Result<IdRange> whole = range_of(filter, Page{});
    if (!range) return range.error();
    const InstanceQueries queries = queries_for(filter);
    const std::optional<std::string> statuses = statuses_text(filter);
    std::optional<std::int64_t> is_suspended;
    if (filter.is_suspended) is_suspended = *filter.is_suspended ? 1 : 0;
    const auto read = [&](auto call, const IdRange& ids, auto... paging) {
        return call(filter.workspace_id, filter.definition_id, statuses, filter.business_key,
                    filter.definition_version, filter.started_from, filter.started_before,
                    is_suspended, none_if_empty(filter.text), ids.first, ids.last, paging...);
    };
    return in_snapshot<Listing<Instance>>([&](Connection& connection) {
        const auto list = [&](const auto&... values) {
            return read_page<Instance>(on_trouble_, connection, queries.list, instance_from,
                                       instance_bytes, page, values...);
        };
        const auto count = [&](const auto&... values) {
            return read_first<std::int64_t>(connection, queries.count, integer_from, values...);
        };
        return with_total(read(list, *range, fetched(page), skipped(page)),
                          read(count, *whole, kCountMax));
    });
}

Result<std::optional<InstanceHistory>> SqliteReader::history(const InstanceKey& key,
                                                             const HistoryPart& part) {
    using History = std::optional<InstanceHistory>;
    return in_snapshot<History>([&](Connection& connection) -> Result<History> {
        Result<std::optional<Instance>> instance = read_first<Instance>(
            connection, sql::read_instance, instance_from, key.workspace_id, key.id);
        if (!instance) return instance.error();
        if (!*instance) return History{};
        InstanceHistory history{.instance = std::move(**instance)};
        std::int64_t bytes = 0;
        const auto add = [&](const Row& row) -> Result<bool> {
            const bool is_full = std::ssize(history.closed) == part.count_max;
            history.has_more = is_full || bytes >= part.bytes_max;
            if (history.has_more) return false;
            bytes += std::ssize(row.bytes(kLineReason)) + std::ssize(row.bytes(kLineTries));
            Result<StepExecution> line = step_execution_from(row);
            if (!line) return line.error();
            history.closed.push_back(std::move(*line));
            return true;
        };
        const Status status = connection.for_some(sql::read_history, add, key.workspace_id,
                                                  key.id.value.with_sequence(part.after),
                                                  key.id.value.with_sequence(0xFFFF'FFFF));
        if (!status) return status.error();
        return History(std::move(history));
    });
}

Result<std::optional<Job>> SqliteReader::job(const JobKey& key) {
    return in_snapshot<std::optional<Job>>([&](Connection& connection) {
        return read_first<Job>(connection, sql::read_job, job_from, key.workspace_id, key.id);
    });
}

Result<Listing<Job>> SqliteReader::jobs(const JobFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    const Result<IdRange> whole = range_of(filter, Page{});
    if (!range) return range.error();
    std::optional<std::string_view> status;
    if (filter.status) status = to_string(*filter.status);
    return in_snapshot<Listing<Job>>([&](Connection& connection) {
        return listing(
            read_listed<Job>(on_trouble_, connection, sql::list_jobs, job_from, filter.workspace_id,
                             filter.job_type, status, filter.worker_id, range->first, range->last,
                             fetched(page), skipped(page)),
            read_first<std::int64_t>(connection, sql::count_jobs, integer_from, filter.workspace_id,
                                     filter.job_type, status, filter.worker_id, whole->first,
                                     whole->last, kCountMax),
            page);
    });
}

Result<std::optional<UserTask>> SqliteReader::user_task(const UserTaskKey& key) {
    return in_snapshot<std::optional<UserTask>>([&](Connection& connection) {
        return read_first<UserTask>(connection, sql::read_user_task, user_task_from,
                                    key.workspace_id, key.id);
    });
}

Result<Listing<UserTask>> SqliteReader::user_tasks(const UserTaskFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    const Result<IdRange> whole = range_of(filter, Page{});
    if (!range) return range.error();
    std::optional<std::string_view> status;
    if (filter.status) status = to_string(*filter.status);
    const std::optional<std::string> group = group_pattern(filter);
    // The open ones have an index of their own.
    const bool is_open = filter.status == UserTaskState::open;
    const sql::Statement& list = is_open ? sql::list_open_user_tasks : sql::list_user_tasks;
    const sql::Statement& count = is_open ? sql::count_open_user_tasks : sql::count_user_tasks;
    return in_snapshot<Listing<UserTask>>([&](Connection& connection) {
        return listing(
            read_listed<UserTask>(on_trouble_, connection, list, user_task_from,
                                  filter.workspace_id, status, filter.definition_id, filter.step_id,
                                  filter.assignee, group, range->first, range->last, fetched(page),
                                  skipped(page)),
            read_first<std::int64_t>(connection, count, integer_from, filter.workspace_id, status,
                                     filter.definition_id, filter.step_id, filter.assignee, group,
                                     whole->first, whole->last, kCountMax),
            page);
    });
}

Result<std::optional<ApiKey>> SqliteReader::api_key(const std::string& id) {
    return in_snapshot<std::optional<ApiKey>>([&](Connection& connection) {
        return read_first<ApiKey>(connection, sql::read_api_key, api_key_from, id);
    });
}

Result<Listing<ApiKey>> SqliteReader::api_keys(const ApiKeyFilter& filter, Page page) {
    return in_snapshot<Listing<ApiKey>>([&](Connection& connection) {
        return listing(
            read_listed<ApiKey>(on_trouble_, connection, sql::list_api_keys, api_key_from,
                                filter.workspace_id, page.after, fetched(page), skipped(page)),
            read_first<std::int64_t>(connection, sql::count_api_keys, integer_from,
                                     filter.workspace_id, kCountMax),
            page);
    });
}

Result<Listing<AuditEntry>> SqliteReader::audit(const AuditFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    const Result<IdRange> whole = range_of(filter, Page{});
    if (!range) return range.error();
    const std::optional<std::string> kinds = kinds_text(filter);
    const sql::Statement& list =
        filter.instance_id ? sql::list_audit_entries_of_instance : sql::list_audit_entries;
    const sql::Statement& count =
        filter.instance_id ? sql::count_audit_entries_of_instance : sql::count_audit_entries;
    return in_snapshot<Listing<AuditEntry>>([&](Connection& connection) {
        return listing(
            read_listed<AuditEntry>(on_trouble_, connection, list, audit_entry_from,
                                    filter.workspace_id, kinds, filter.key_id, filter.instance_id,
                                    filter.since, filter.until, range->first, range->last,
                                    fetched(page), skipped(page)),
            read_first<std::int64_t>(connection, count, integer_from, filter.workspace_id, kinds,
                                     filter.key_id, filter.instance_id, filter.since, filter.until,
                                     whole->first, whole->last, kCountMax),
            page);
    });
}

Result<std::optional<Instant>> SqliteReader::oldest_idempotency_record() {
    return in_snapshot<std::optional<Instant>>([](Connection& connection) {
        return read_first<Instant>(connection, sql::oldest_idempotency_record, instant_from);
    });
}

Result<std::vector<Due<TimerKey>>> SqliteReader::due_timers(
    Instant now, const std::optional<Due<TimerKey>>& after, std::int32_t count_max) {
    const Due<TimerKey> place = place_before_next(after);
    return in_snapshot<std::vector<Due<TimerKey>>>([&](Connection& connection) {
        return read_all<Due<TimerKey>>(connection, sql::due_timers, due_from<TimerKey>, now,
                                       count_max, place.at, place.key.id);
    });
}

Result<std::optional<Instant>> SqliteReader::next_timer(Instant after) {
    return in_snapshot<std::optional<Instant>>([&](Connection& connection) {
        return read_first<Instant>(connection, sql::next_timer, instant_from, after);
    });
}

Result<std::vector<Due<JobKey>>> SqliteReader::expired_leases(
    Instant now, const std::optional<Due<JobKey>>& after, std::int32_t count_max) {
    const Due<JobKey> place = place_before_next(after);
    return in_snapshot<std::vector<Due<JobKey>>>([&](Connection& connection) {
        return read_all<Due<JobKey>>(connection, sql::expired_leases, due_from<JobKey>, now,
                                     count_max, place.at, place.key.id);
    });
}

Result<std::optional<Instant>> SqliteReader::next_lease_expiry(Instant after) {
    return in_snapshot<std::optional<Instant>>([&](Connection& connection) {
        return read_first<Instant>(connection, sql::next_lease_expiry, instant_from, after);
    });
}

Result<std::optional<DefinitionName>> SqliteReader::next_definition(const DefinitionName& after) {
    return in_snapshot<std::optional<DefinitionName>>([&](Connection& connection) {
        return read_first<DefinitionName>(connection, sql::next_definition, name_from,
                                          after.workspace_id, after.id);
    });
}

Result<std::vector<InstanceEnd>> SqliteReader::instance_ends(const DefinitionName& definition,
                                                             InstanceId after, InstanceId before,
                                                             std::int32_t count_max) {
    return in_snapshot<std::vector<InstanceEnd>>([&](Connection& connection) {
        return read_all<InstanceEnd>(connection, sql::instance_ends, end_from,
                                     definition.workspace_id, definition.id, after, before,
                                     count_max);
    });
}

Result<std::optional<WorkspaceId>> SqliteReader::next_audited_workspace(const WorkspaceId& after) {
    return in_snapshot<std::optional<WorkspaceId>>([&](Connection& connection) {
        return read_first<WorkspaceId>(connection, sql::next_audited_workspace, workspace_id_from,
                                       after);
    });
}

Result<std::vector<AuditKey>> SqliteReader::oldest_audit_entries(const WorkspaceId& workspace_id,
                                                                 AuditEntryId before,
                                                                 std::int32_t count_max) {
    return in_snapshot<std::vector<AuditKey>>([&](Connection& connection) {
        return read_all<AuditKey>(connection, sql::oldest_audit_entries, key_from<AuditKey>,
                                  workspace_id, before, count_max);
    });
}

}  // namespace millrace::sqlite
