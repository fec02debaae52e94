#include "store/postgres/postgres_batch_store.hpp"

#include <algorithm>

#include "core/limits.hpp"
#include "store/postgres/queue_writes.hpp"

namespace millrace::postgres {

namespace {

constexpr int kBeginTriesMax = 5;

// A statement of a batch ends early enough for the batch to be split while its callers wait.
PostgresOptions for_batches(PostgresOptions options) {
    const bool is_limited = options.statement_timeout > Duration::zero();
    options.statement_timeout =
        is_limited ? std::min(options.statement_timeout, limits::kBatchStatementMax)
                   : limits::kBatchStatementMax;
    return options;
}

}  // namespace

PostgresBatchStore::PostgresBatchStore(PostgresOptions options,
                                       std::shared_ptr<DefinitionCache> definitions)
    : options_(for_batches(std::move(options))),
      definitions_(std::move(definitions)),
      connection_(connection_options(options_)) {}

Result<LoadedRows> PostgresBatchStore::load(const Footprint& footprint) {
    doubt_.reset();
    Result<LoadedRows> rows = begin(footprint);
    if (!rows) {
        abandon();
        return rows;
    }
    loaded_variables_.clear();
    for (const Instance& row : rows->instances) {
        loaded_variables_.emplace_back(row.key, row.variables);
    }
    if (options_.on_server_time) options_.on_server_time(server_time_);
    return rows;
}

Result<std::vector<Id128>> PostgresBatchStore::locked_elsewhere(const Footprint& footprint) {
    if (const Status status = connection_.open(); !status) return status.error();
    std::vector<Call> calls = opening(kBeginWriting, options_);
    for (Call& each : find_locked(footprint)) calls.push_back(std::move(each));
    calls.push_back(command("ROLLBACK"));
    const Result<std::vector<Rows>> answers = connection_.run(calls);
    if (!answers) return answers.error();
    return read_locked(footprint, std::span(*answers).subspan(kOpeningCalls));
}

Result<LoadedRows> PostgresBatchStore::extend(const Footprint& footprint) {
    MILLRACE_CHECK(footprint.instances.empty() && footprint.uploads.empty() &&
                   footprint.idempotency_keys.empty());
    Loading loading(footprint);
    std::vector<Call> calls;
    loading.append_calls(calls);
    const Result<std::vector<Rows>> answers = connection_.run(calls);
    if (!answers) {
        abandon();
        return answers.error();
    }
    const Status status = loading.read(*answers);
    Result<LoadedRows> rows =
        status ? loading.complete(connection_, *definitions_) : Result<LoadedRows>(status.error());
    if (!rows) abandon();
    return rows;
}

Status PostgresBatchStore::apply(const Writes& writes) {
    std::vector<Call> calls;
    std::optional<CommitMark> mark;
    if (!writes.empty()) {
        append_writes(calls, writes, loaded_variables_);
        append_queue_writes(calls, writes);
        mark = marks_.next(server_time_, transaction_.random);
        marks_.append_sweep(calls, *mark);
        calls.push_back(call(sql::insert_commit_mark, parameters_of(*mark)));
    }
    calls.push_back(commit());

    const Result<std::vector<Rows>> answers = connection_.run(calls);
    if (answers) return ok();
    if (answers.error().code == ErrorCode::commit_unknown) {
        // Without writes there is nothing to be in doubt about.
        if (!mark) return Error{ErrorCode::unavailable, answers.error().detail};
        doubt_ = Doubt{.mark = *mark, .transaction = transaction_};
    } else {
        abandon();
    }
    return answers.error();
}

void PostgresBatchStore::abandon() {
    if (!connection_.is_open()) return;
    // A connection that fails here is closed, and that rolls back too.
    (void)connection_.run({command("ROLLBACK")});
}

Result<CommitOutcome> PostgresBatchStore::resolve() {
    if (!doubt_) return Error{ErrorCode::unavailable, "No commit is in doubt."};
    connection_.close();
    if (const Status status = connection_.open(); !status) return status.error();
    end_idle_backend();
    if (const Status status = connection_.open(); !status) return status.error();
    const Result<bool> is_refuted = refute(doubt_->mark);
    if (!is_refuted) {
        connection_.close();
        return Error{ErrorCode::unavailable, is_refuted.error().detail};
    }
    doubt_.reset();
    return *is_refuted ? CommitOutcome::aborted : CommitOutcome::committed;
}

// A row that comes while later locks are waited for is there at the next try, and is locked in its
// turn. Ids are given once, so it does not come and go.
Result<LoadedRows> PostgresBatchStore::begin(const Footprint& footprint) {
    for (int tries = 1;; ++tries) {
        Loading loading(footprint);
        const Status status = begin(loading);
        if (!status) return status.error();
        const Result<bool> has_missed = loading.has_missed(connection_);
        if (!has_missed) return has_missed.error();
        if (!*has_missed) return loading.complete(connection_, *definitions_);
        abandon();
        if (tries == kBeginTriesMax) {
            return Error{ErrorCode::unavailable, "Rows come while their locks are waited for."};
        }
    }
}

Status PostgresBatchStore::begin(Loading& loading) {
    if (const Status status = connection_.open(); !status) return status;
    std::vector<Call> calls = opening(kBeginWriting, options_);
    loading.append_calls(calls);
    calls.push_back(call(sql::read_clock));

    const Result<std::vector<Rows>> answers = connection_.run(calls);
    if (!answers) return answers.error();
    transaction_ = transaction_name(*answers);
    server_time_ = Fields(answers->back(), 0).instant();
    return loading.read(
        std::span(*answers).subspan(kOpeningCalls, calls.size() - kOpeningCalls - 1));
}

// Whether it was ended, or may be, does not matter: refuting waits as long as it lives.
void PostgresBatchStore::end_idle_backend() {
    Parameters parameters;
    parameters.add(doubt_->transaction.pid);
    parameters.add(doubt_->transaction.started_at);
    (void)connection_.run({call(sql::end_idle_backend, std::move(parameters))});
}

// Whether the batch with this mark has not committed and never will.
Result<bool> PostgresBatchStore::refute(const CommitMark& mark) {
    std::vector<Call> calls = opening(kBeginWriting, options_);
    calls.push_back(call(sql::refute_commit_mark, parameters_of(mark)));
    calls.push_back(call(sql::read_refutation, parameters_of(mark)));
    // A write in any case, so that this commit waits for the standbys that the other one needs.
    const CommitMark witness = marks_.next(server_time_, transaction_.random);
    calls.push_back(call(sql::insert_commit_mark, parameters_of(witness)));
    calls.push_back(commit());
    const Result<std::vector<Rows>> answers = connection_.run(calls);
    if (!answers) return answers.error();
    return Fields((*answers)[kOpeningCalls + 1], 0).boolean();
}

}  // namespace millrace::postgres
