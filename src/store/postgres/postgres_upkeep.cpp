#include "store/postgres/postgres_upkeep.hpp"

#include "store/postgres/postgres_cluster.hpp"

namespace millrace::postgres {

namespace {

constexpr std::string_view kHistoryTable = "step_execution";
constexpr std::string_view kAuditTable = "audit_entry";

// Whoever comes behind a request for an exclusive lock waits as long as the request does.
PostgresOptions with_short_waits(PostgresOptions options) {
    options.lock_timeout = std::chrono::milliseconds{100};
    return options;
}

std::string_view table_of(const Partition& partition) {
    return partition.table == PartitionedTable::history ? kHistoryTable : kAuditTable;
}

Partition decode_partition(Fields fields) {
    Partition partition;
    const bool is_history = fields.text() == kHistoryTable;
    partition.table = is_history ? PartitionedTable::history : PartitionedTable::audit;
    partition.name = fields.text();
    partition.first_id = fields.optional_id().value_or(Id128{});
    partition.end_id = fields.id();
    return partition;
}

}  // namespace

PostgresUpkeep::PostgresUpkeep(PostgresOptions options)
    : options_(with_short_waits(std::move(options))), connection_(connection_options(options_)) {}

Result<std::vector<Partition>> PostgresUpkeep::partitions() {
    std::vector<Call> calls;
    calls.push_back(call(sql::list_partitions));
    const Result<std::vector<Rows>> answers =
        run_transaction(connection_, kBeginWriting, options_, std::move(calls));
    if (!answers) return answers.error();
    std::vector<Partition> partitions;
    const Rows& rows = answers->front();
    for (int i = 0; i < rows.size(); ++i) partitions.push_back(decode_partition(Fields(rows, i)));
    return partitions;
}

Status PostgresUpkeep::create(const Partition& partition, const Lease& lease) {
    Parameters parameters;
    parameters.add(table_of(partition));
    parameters.add(partition.first_id);
    parameters.add(partition.end_id);
    const auto answers = change(call(sql::add_partition, std::move(parameters)), lease);
    return answers ? ok() : Status(answers.error());
}

Result<bool> PostgresUpkeep::drop_unused(const Partition& partition, const Lease& lease) {
    Parameters parameters;
    parameters.add(table_of(partition));
    parameters.add(std::string_view(partition.name));
    parameters.add(partition.first_id);
    parameters.add(partition.end_id);
    const auto answers = change(call(sql::drop_unused_partition, std::move(parameters)), lease);
    if (!answers) return answers.error();
    return Fields(answers->back(), 0).boolean();
}

Status PostgresUpkeep::drop(const Partition& partition, const Lease& lease) {
    Parameters parameters;
    parameters.add(table_of(partition));
    parameters.add(std::string_view(partition.name));
    const auto answers = change(call(sql::drop_partition, std::move(parameters)), lease);
    return answers ? ok() : Status(answers.error());
}

Result<std::vector<Rows>> PostgresUpkeep::change(Call call, const Lease& lease) {
    std::vector<Call> calls;
    if (lease) calls.push_back(lease_check(*lease));
    calls.push_back(std::move(call));
    return run_transaction(connection_, kBeginWriting, options_, std::move(calls));
}

}  // namespace millrace::postgres
