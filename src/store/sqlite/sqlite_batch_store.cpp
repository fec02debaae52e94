#include "store/sqlite/sqlite_batch_store.hpp"

#include <sqlite3.h>

#include "store/sqlite/load_rows.hpp"
#include "store/sqlite/write_rows.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

Id128 random_id() {
    Id128 id;
    sqlite3_randomness(sizeof(id), &id);
    return id;
}

Result<CommitOutcome> refute(Connection& connection, const Id128& committer_id, std::int64_t mark) {
    if (Status status = connection.run(sql::refute_commit_mark, committer_id, mark); !status) {
        return status.error();
    }
    if (connection.changes() > 0) return CommitOutcome::aborted;

    CommitOutcome outcome = CommitOutcome::committed;
    const auto read = [&](const Row& row) {
        if (row.integer(0) != 0) outcome = CommitOutcome::aborted;
        return ok();
    };
    Status status = connection.for_each(sql::read_refutation, read, committer_id, mark);
    if (!status) return status.error();
    return outcome;
}

}  // namespace

SqliteBatchStore::SqliteBatchStore(Writer& writer, DefinitionCache& cache)
    : writer_(writer), cache_(cache), committer_id_(random_id()) {}

SqliteBatchStore::~SqliteBatchStore() {
    if (batch_) abandon();
}

Result<LoadedRows> SqliteBatchStore::load(const Footprint& footprint) {
    MILLRACE_CHECK(!batch_);
    Turn turn = writer_.take_turn();
    const Result<Connection*> connection = writer_.begin();
    if (!connection) return connection.error();
    Result<LoadedRows> rows = load_rows(**connection, cache_, footprint);
    if (rows) {
        batch_.emplace(Batch{std::move(turn), **connection, footprint.admission.has_value()});
    } else {
        writer_.rollback_after(rows.error());
    }
    return rows;
}

Result<LoadedRows> SqliteBatchStore::extend(const Footprint& footprint) {
    MILLRACE_CHECK(batch_);
    MILLRACE_CHECK(footprint.instances.empty());
    MILLRACE_CHECK(footprint.uploads.empty() && footprint.idempotency_keys.empty());
    MILLRACE_CHECK(footprint.executions.empty() && !footprint.admission);
    Result<LoadedRows> rows = load_rows(batch_->connection, cache_, footprint);
    if (!rows) end_after(rows.error());
    return rows;
}

Status SqliteBatchStore::apply(const Writes& writes) {
    MILLRACE_CHECK(batch_);
    const bool has_work = batch_->has_moved || !writes.empty();
    Status status = has_work ? write(writes) : ok();
    if (!status) {
        end_after(status.error());
        return status;
    }
    status = writer_.commit();
    in_doubt_ = !status && status.error().code == ErrorCode::commit_unknown;
    batch_.reset();
    return status;
}

void SqliteBatchStore::abandon() {
    MILLRACE_CHECK(batch_);
    writer_.rollback();
    batch_.reset();
}

Result<CommitOutcome> SqliteBatchStore::resolve() {
    MILLRACE_CHECK(!batch_);
    if (!in_doubt_) return Error{ErrorCode::unavailable, "No commit is in doubt."};
    const Turn turn = writer_.take_turn();
    const Result<Connection*> connection = writer_.begin();
    if (!connection) return connection.error();
    Result<CommitOutcome> outcome = refute(**connection, committer_id_, mark_);
    if (!outcome) {
        writer_.rollback_after(outcome.error());
        return outcome;
    }
    if (Status status = writer_.commit(); !status) {
        return Error{ErrorCode::unavailable, status.error().detail};
    }
    in_doubt_ = false;
    return outcome;
}

Status SqliteBatchStore::write(const Writes& writes) {
    Connection& connection = batch_->connection;
    if (Status status = write_rows(connection, writes); !status) return status;
    mark_ += 1;
    if (Status status = connection.run(sql::insert_commit_mark, committer_id_, mark_); !status) {
        return status;
    }
    return connection.run(sql::delete_commit_marks, std::optional(committer_id_), mark_);
}

void SqliteBatchStore::end_after(const Error& error) {
    writer_.rollback_after(error);
    batch_.reset();
}

}  // namespace millrace::sqlite
