#include "store/postgres/postgres_reader.hpp"

#include "core/limits.hpp"
#include "store/postgres/decode.hpp"

namespace millrace::postgres {

namespace {

constexpr const char* kBegin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

std::optional<std::string_view> view(const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    return *text;
}

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

Parameters parameters_of(const InstanceFilter& filter) {
    Parameters parameters;
    parameters.add(std::string_view(filter.workspace_id.value));
    parameters.add(view(filter.definition_id));
    filter.status ? parameters.add(to_string(*filter.status)) : parameters.add_null();
    parameters.add(view(filter.business_key));
    return parameters;
}

// A page of rows and their number, which is counted no further than it is shown.
template <class Filter>
std::vector<Call> listing_calls(const sql::Statement& list, const sql::Statement& count,
                                const Filter& filter, Page page) {
    Parameters listed = parameters_of(filter);
    listed.add(std::int64_t{page.size});
    listed.add(std::int64_t{page.number} * page.size);
    Parameters counted = parameters_of(filter);
    counted.add(limits::kTotalExactMax + 1);
    std::vector<Call> calls;
    calls.push_back(call(list, std::move(listed)));
    calls.push_back(call(count, std::move(counted)));
    return calls;
}

template <class Item>
void add_total(Listing<Item>& listing, const Rows& count) {
    const std::int64_t total = Fields(count, 0).int64();
    listing.total_capped = total > limits::kTotalExactMax;
    listing.total = listing.total_capped ? limits::kTotalExactMax : total;
}

std::vector<Call> one(Call only) {
    std::vector<Call> calls;
    calls.push_back(std::move(only));
    return calls;
}

Call due_call(const sql::Statement& statement, Instant now, std::int32_t count_max) {
    Parameters parameters;
    parameters.add(now);
    parameters.add(std::int64_t{count_max});
    return call(statement, std::move(parameters));
}

template <class Key>
std::vector<Key> keys_of(const Rows& answer) {
    std::vector<Key> keys;
    keys.reserve(static_cast<std::size_t>(answer.size()));
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Key& key = keys.emplace_back();
        key.workspace_id.value = fields.text();
        key.id.value = fields.id();
    }
    return keys;
}

template <class Row>
Result<std::optional<Row>> first_of(const Rows& answer, Result<Row> (*decode)(Fields&)) {
    if (answer.size() == 0) return std::optional<Row>{};
    Fields fields(answer, 0);
    Result<Row> row = decode(fields);
    if (!row) return row.error();
    return std::optional<Row>(std::move(*row));
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
    const auto answers =
        run(listing_calls(sql::list_definitions, sql::count_definitions, filter, page));
    if (!answers) return answers.error();
    Listing<DefinitionSummary> listing;
    add_total(listing, answers->back());
    for (int i = 0; i < answers->front().size(); ++i) {
        Fields fields(answers->front(), i);
        DefinitionSummary& item = listing.items.emplace_back();
        item.id = fields.text();
        item.version = fields.int32();
        item.name = fields.text();
        item.uploaded_at = fields.instant();
    }
    return listing;
}

Result<std::optional<Instance>> PostgresReader::instance(const InstanceKey& key) {
    const auto answers = run(one(call(sql::read_instance, parameters_of(key))));
    if (!answers) return answers.error();
    return first_of<Instance>(answers->front(), &decode_instance);
}

Result<Listing<Instance>> PostgresReader::instances(const InstanceFilter& filter, Page page) {
    const auto answers =
        run(listing_calls(sql::list_instances, sql::count_instances, filter, page), Planning::anew);
    if (!answers) return answers.error();
    Listing<Instance> listing;
    add_total(listing, answers->back());
    for (int i = 0; i < answers->front().size(); ++i) {
        Fields fields(answers->front(), i);
        Result<Instance> instance = decode_instance(fields);
        if (!instance) return instance.error();
        listing.items.push_back(std::move(*instance));
    }
    return listing;
}

Result<std::optional<InstanceHistory>> PostgresReader::history(const InstanceKey& key) {
    Parameters range = parameters_of(key);
    range.add(key.id.value.with_sequence(0xFFFF'FFFF));
    std::vector<Call> calls = one(call(sql::read_instance, parameters_of(key)));
    calls.push_back(call(sql::read_history, std::move(range)));
    const auto answers = run(std::move(calls));
    if (!answers) return answers.error();

    Result<std::optional<Instance>> instance =
        first_of<Instance>(answers->front(), &decode_instance);
    if (!instance) return instance.error();
    if (!*instance) return std::optional<InstanceHistory>{};
    InstanceHistory history{.instance = std::move(**instance)};
    for (int i = 0; i < answers->back().size(); ++i) {
        Fields fields(answers->back(), i);
        Result<StepExecution> row = decode_step_execution(fields);
        if (!row) return row.error();
        history.closed.push_back(std::move(*row));
    }
    return std::optional(std::move(history));
}

Result<std::optional<Job>> PostgresReader::job(const JobKey& key) {
    const auto answers = run(one(call(sql::read_job, parameters_of(key))));
    if (!answers) return answers.error();
    return first_of<Job>(answers->front(), &decode_job);
}

Result<std::vector<TimerKey>> PostgresReader::due_timers(Instant now, std::int32_t count_max) {
    const auto answers = run(one(due_call(sql::due_timers, now, count_max)));
    if (!answers) return answers.error();
    return keys_of<TimerKey>(answers->front());
}

Result<std::optional<Instant>> PostgresReader::next_timer() {
    return read_instant(sql::next_timer);
}

Result<std::vector<JobKey>> PostgresReader::expired_leases(Instant now, std::int32_t count_max) {
    const auto answers = run(one(due_call(sql::expired_leases, now, count_max)));
    if (!answers) return answers.error();
    return keys_of<JobKey>(answers->front());
}

Result<std::optional<Instant>> PostgresReader::next_lease_expiry() {
    return read_instant(sql::next_lease_expiry);
}

Result<std::vector<Rows>> PostgresReader::run(std::vector<Call> work, Planning planning) {
    if (const Status status = connection_.open(); !status) return status.error();
    std::vector<Call> calls = opening(kBegin, options_, planning);
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

Result<std::optional<Instant>> PostgresReader::read_instant(const sql::Statement& statement) {
    const auto answers = run(one(call(statement)));
    if (!answers) return answers.error();
    if (answers->front().size() == 0) return std::optional<Instant>{};
    return std::optional(Fields(answers->front(), 0).instant());
}

}  // namespace millrace::postgres
