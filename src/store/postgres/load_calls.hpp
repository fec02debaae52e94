#pragma once

#include <optional>
#include <span>
#include <vector>

#include "store/postgres/admission_load.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/definition_load.hpp"
#include "store/postgres/large_rows.hpp"
#include "store/working_set.hpp"

namespace millrace::postgres {

// Ask which rows and keys of a footprint somebody else has locked, and understand the answers.
std::vector<Call> find_locked(const Footprint& footprint);
std::vector<Id128> read_locked(const Footprint& footprint, std::span<const Rows> answers);

// The statements that lock the rows of a footprint, in the order in which every batch locks them,
// and then read what is not read with its lock; and how to understand their answers. Empty parts
// cost no statement.
class Loading {
public:
    explicit Loading(const Footprint& footprint)
        : footprint_(footprint), definitions_(footprint.bound) {
        if (footprint.admission) admission_.emplace(*footprint.admission);
    }

    void append_calls(std::vector<Call>& calls);

    // Takes the answers to those calls. A row that cannot be read is noted as such; internal: one
    // that has no place there.
    Status read(std::span<const Rows> answers);

    // Whether an instance has come that was not there when it was to be locked: asked when all
    // locks are held, in a round trip of its own, if one was not found. Its lock may not be taken
    // now, after those of later rows: the batch has to begin again.
    Result<bool> has_missed(Connection& connection) const;

    // Reads large rows as far as there is room, and what an admission still has to read; fetches
    // the definitions that the cache lacks, and puts them where they belong: each in a round trip
    // of its own, where there is something to do. Last.
    Result<LoadedRows> complete(Connection& connection, DefinitionCache& cache);

private:
    using Reading = Status (Loading::*)(const Rows&);

    void append_locks(std::vector<Call>& calls);
    void append_reads(std::vector<Call>& calls);
    void add(std::vector<Call>& calls, Call call, Reading reading);
    bool locks_executions() const;
    Parameters execution_parameters() const;

    // Of a row that begins with its key, and cannot be read.
    template <class Key>
    void note_unreadable(std::vector<Key>& keys, const Rows& answer, int row, const Error& error);

    Status read_idempotency_records(const Rows& answer);
    Status read_instances(const Rows& answer);
    Status read_jobs(const Rows& answer);
    Status read_user_tasks(const Rows& answer);
    Status read_api_keys(const Rows& answer);
    Status read_step_executions(const Rows& answer);
    Status read_definitions(const Rows& answer);
    Status read_uploads(const Rows& answer);
    Status read_executions(const Rows& answer);
    Status read_workspaces(const Rows& answer);
    Status complete_admission(Connection& connection);
    Status read_large(Connection& connection);
    std::int64_t each_max_of(std::size_t rows) const;

    const Footprint& footprint_;
    std::optional<AdmissionLoad> admission_;
    std::vector<Reading> readers_;  // One for each call; null for locks.
    LoadedRows rows_;
    LargeRows<InstanceKey> large_instances_;  // Locked, and not read yet.
    LargeRows<JobKey> large_jobs_;
    bool is_any_length_ = false;  // The large ones are read now.
    DefinitionLoad definitions_;
};

}  // namespace millrace::postgres
