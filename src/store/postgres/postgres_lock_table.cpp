#include "store/postgres/postgres_lock_table.hpp"

#include <utility>

namespace millrace::postgres {

namespace {

Parameters parameters_of(std::string_view name, std::string_view holder, Duration duration) {
    Parameters parameters;
    parameters.add(name);
    parameters.add(holder);
    parameters.add(std::int64_t{duration.count()});
    return parameters;
}

bool is_health(ErrorCode code) {
    return code == ErrorCode::unavailable || code == ErrorCode::commit_unknown;
}

}  // namespace

PostgresLockTable::PostgresLockTable(PostgresOptions options, std::string table)
    : options_(std::move(options)),
      table_(std::move(table)),
      check_(sql::check_lock_table, table_),
      create_(sql::create_lock_table, table_),
      take_(sql::take_lock, table_),
      give_back_(sql::give_lock_back, table_),
      connection_(connection_options(options_)) {}

Status PostgresLockTable::prepare(LockTableMode mode) {
    Parameters name;
    name.add(std::string_view(table_));
    const Result<Rows> found = run(sql::find_lock_table, std::move(name));
    if (!found) return is_health(found.error().code) ? found.error() : unusable();
    if (!Fields(*found, 0).boolean()) {
        if (mode == LockTableMode::check) {
            return Error{ErrorCode::not_found, "There is no lock table \"" + table_ + "\"."};
        }
        if (const Status created = create(); !created) return created;
    }
    const Result<Rows> checked = run(check_.statement);
    if (checked) return ok();
    return is_health(checked.error().code) ? checked.error() : unusable();
}

// Two servers that start together may both try: the one that comes second fails, and finds it.
Status PostgresLockTable::create() {
    const Result<Rows> created = run(create_.statement);
    if (created || created.error().code == ErrorCode::data_refused) return ok();
    return is_health(created.error().code) ? created.error() : unusable();
}

Error PostgresLockTable::unusable() const {
    return {ErrorCode::conflict,
            "The lock table \"" + table_ + "\" cannot be used: " + connection_.trouble() + "."};
}

Result<bool> PostgresLockTable::lock(std::string_view name, std::string_view holder,
                                     Duration at_most) {
    const Result<Rows> taken = run(take_.statement, parameters_of(name, holder, at_most));
    if (!taken) return taken.error();
    return taken->size() > 0;
}

Status PostgresLockTable::unlock(std::string_view name, std::string_view holder,
                                 Duration at_least) {
    const Result<Rows> given = run(give_back_.statement, parameters_of(name, holder, at_least));
    return given ? ok() : Status(given.error());
}

Result<Rows> PostgresLockTable::run(const sql::Statement& statement, Parameters parameters) {
    std::vector<Call> calls;
    calls.push_back(call(statement, std::move(parameters)));
    Result<std::vector<Rows>> answers =
        run_transaction(connection_, kBeginWriting, options_, std::move(calls));
    if (!answers) return answers.error();
    return std::move(answers->front());
}

}  // namespace millrace::postgres
