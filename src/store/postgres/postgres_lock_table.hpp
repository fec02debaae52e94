#pragma once

#include <string>

#include "store/lock_table.hpp"
#include "store/postgres/transaction.hpp"

namespace millrace::postgres {

// Each call is a transaction of its own, in one round trip.
class PostgresLockTable final : public LockTable {
public:
    PostgresLockTable(PostgresOptions options, std::string table);

    Status prepare(LockTableMode mode) override;
    Result<bool> lock(std::string_view name, std::string_view holder, Duration at_most) override;
    Status unlock(std::string_view name, std::string_view holder, Duration at_least) override;

private:
    // A statement about the table of that name. Its text lives as long as this.
    struct AboutTable {
        AboutTable(const sql::Statement& about_default, const std::string& table)
            : text(with_lock_table(about_default.text, table)),
              statement{about_default.index, about_default.name, text} {}

        const std::string text;
        const sql::Statement statement;
    };

    Status create();
    Error unusable() const;
    Result<Rows> run(const sql::Statement& statement, Parameters parameters = {});

    const PostgresOptions options_;
    const std::string table_;
    const AboutTable check_;
    const AboutTable create_;
    const AboutTable take_;
    const AboutTable give_back_;
    Connection connection_;
};

}  // namespace millrace::postgres
