#pragma once

#include <memory>

#include "store/batch_store.hpp"
#include "store/job_claimer.hpp"
#include "store/reader.hpp"

namespace millrace {

// A place that keeps state, and the way to connections to it. Thread-safe.
class Database {
public:
    virtual ~Database() = default;

    // Brings the schema up to this program's version, under a lock, each migration in a transaction
    // of its own. conflict: the schema is newer than this program, or a migration that was applied
    // has changed since. Called once, before anything else.
    virtual Status migrate() = 0;

    // Connections are made on first use: these do not block and do not fail.
    virtual std::unique_ptr<BatchStore> batch_store() = 0;
    virtual std::unique_ptr<JobClaimer> job_claimer() = 0;
    virtual std::unique_ptr<Reader> reader() = 0;

    // How many committers serve it best (docs/adr/0002).
    virtual int committer_count() const = 0;

    // Whether other processes may change the state too.
    virtual bool is_shared() const = 0;
};

}  // namespace millrace
