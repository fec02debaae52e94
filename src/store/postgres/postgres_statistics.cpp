#include "store/postgres/postgres_statistics.hpp"

#include <array>

namespace millrace::postgres {

namespace {

constexpr const char* kBeginLook = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY";

// Those that change with every job, and those that grow.
constexpr std::array<std::string_view, 8> kTables{
    "audit_entry", "commit_mark",    "idempotency_key", "instance",
    "job",         "step_execution", "timer",           "user_task",
};

Call read_tables() {
    Parameters parameters;
    parameters.add_column(kTables, [](std::string_view name) { return name; });
    return call(sql::read_table_statistics, std::move(parameters));
}

OpenTransactions transactions_from(Fields& fields) {
    OpenTransactions oldest;
    oldest.age = Duration(fields.int64());
    oldest.snapshot_age = fields.int64();
    return oldest;
}

TableStatistics table_from(Fields fields) {
    TableStatistics table;
    table.name = fields.text();
    table.bytes = fields.int64();
    table.live_rows = fields.int64();
    table.dead_rows = fields.int64();
    if (const auto age = fields.optional_int64()) table.vacuumed_ago = Duration(*age);
    return table;
}

}  // namespace

PostgresStatistics::PostgresStatistics(PostgresOptions options)
    : options_(std::move(options)), connection_(connection_options(options_)) {}

Result<StoreStatistics> PostgresStatistics::read() {
    std::vector<Call> calls;
    calls.push_back(call(sql::read_statistics));
    calls.push_back(read_tables());
    const Result<std::vector<Rows>> answers =
        run_transaction(connection_, kBeginLook, options_, std::move(calls));
    if (!answers) return answers.error();

    StoreStatistics statistics;
    Fields whole(answers->front(), 0);
    statistics.bytes = whole.int64();
    statistics.log_bytes = whole.optional_int64();
    statistics.own = transactions_from(whole);
    statistics.foreign = transactions_from(whole);
    const Rows& tables = answers->back();
    for (int i = 0; i < tables.size(); ++i) {
        statistics.tables.push_back(table_from(Fields(tables, i)));
    }
    return statistics;
}

}  // namespace millrace::postgres
