#pragma once

#include "store/batch_store.hpp"
#include "store/definition_cache.hpp"
#include "store/sqlite/writer.hpp"

namespace millrace::sqlite {

// A batch is a turn on the writer. That is its lock on rows and names, too.
class SqliteBatchStore final : public BatchStore {
public:
    SqliteBatchStore(Writer& writer, DefinitionCache& cache);
    ~SqliteBatchStore() override;

    SqliteBatchStore(const SqliteBatchStore&) = delete;
    SqliteBatchStore& operator=(const SqliteBatchStore&) = delete;

    Result<LoadedRows> load(const Footprint& footprint) override;
    Result<LoadedRows> extend(const Footprint& footprint) override;
    Status apply(const Writes& writes) override;
    void abandon() override;
    Result<CommitOutcome> resolve() override;

private:
    struct Batch {
        Turn turn;
        Connection& connection;
        bool has_moved = false;  // Its admission may have written something already.
    };

    Status write(const Writes& writes);
    void end_after(const Error& error);

    Writer& writer_;
    DefinitionCache& cache_;
    std::optional<Batch> batch_;  // Between load and the end of the batch.
    // The marks of this store are this id with the numbers 1, 2, 3 …
    Id128 committer_id_;
    std::int64_t mark_ = 0;  // The last one used.
    bool in_doubt_ = false;  // About the batch of that mark.
};

}  // namespace millrace::sqlite
