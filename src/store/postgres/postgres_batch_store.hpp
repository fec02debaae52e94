#pragma once

#include <memory>
#include <optional>

#include "store/batch_store.hpp"
#include "store/definition_cache.hpp"
#include "store/postgres/commit_marks.hpp"
#include "store/postgres/load_calls.hpp"
#include "store/postgres/transaction.hpp"
#include "store/postgres/write_calls.hpp"

namespace millrace::postgres {

// Two round trips for a batch: BEGIN with all locks and reads, all writes with COMMIT.
class PostgresBatchStore final : public BatchStore {
public:
    PostgresBatchStore(PostgresOptions options, std::shared_ptr<DefinitionCache> definitions);

    Result<LoadedRows> load(const Footprint& footprint) override;
    Result<std::vector<Id128>> locked_elsewhere(const Footprint& footprint) override;
    Result<LoadedRows> extend(const Footprint& footprint) override;
    Status apply(const Writes& writes) override;
    void abandon() override;
    Result<CommitOutcome> resolve() override;

private:
    // A batch whose COMMIT was sent and not answered.
    struct Doubt {
        CommitMark mark{};
        TransactionName transaction{};
    };

    Result<LoadedRows> begin(const Footprint& footprint);
    Status begin(Loading& loading);
    void end_idle_backend();
    Result<bool> refute(const CommitMark& mark);

    const PostgresOptions options_;
    const std::shared_ptr<DefinitionCache> definitions_;
    Connection connection_;
    CommitMarks marks_;
    TransactionName transaction_{};
    Instant server_time_{};
    LoadedVariables loaded_variables_;
    std::optional<Doubt> doubt_;
};

}  // namespace millrace::postgres
