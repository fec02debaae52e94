#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/copied_tables.hpp"
#include "store/row_sum.hpp"

namespace millrace {

namespace postgres {
class Connection;
}  // namespace postgres

// Fills a database with the rows of another store, table by table in the order of keys. From
// begin() to finish() the database says that it holds only a part, and no server starts on it. What
// was written stays when a process dies: the next one finds where each table ends.
class PostgresImport {
public:
    // Large enough that a commit is a small part of a write, small enough to keep in memory.
    static constexpr std::size_t kBytesPerWrite = 8 << 20;

    // `target` as PostgresOptions has it.
    explicit PostgresImport(std::string target, std::size_t bytes_per_write = kBytesPerWrite);
    ~PostgresImport();
    PostgresImport(const PostgresImport&) = delete;
    PostgresImport& operator=(const PostgresImport&) = delete;

    // Brings the schema up to date and notes the source. The same source again: nothing to do.
    // conflict: a server runs on it; there are rows already, of another source or of a server; or
    // the schema is newer.
    Status begin(const std::string& source);

    // The key of the last row. Empty: there is none.
    Result<Cells> last_key(const CopiedTable& table);

    Result<std::int64_t> count(const CopiedTable& table);

    // Adds a row behind the last one. Rows are kept until there are many, and written together: all
    // of them or, on an error, none.
    Status add(const CopiedTable& table, const Cells& row);
    Status flush(const CopiedTable& table);

    // Reads every row back. `on_row` is told how many it has read.
    Result<RowSum> sum(const CopiedTable& table,
                       const std::function<void(std::int64_t done)>& on_row);

    // Sets the numbers that the server goes on with. From here on the database is whole.
    Status finish(const CopiedCounters& counters);

private:
    Status check_no_servers();
    Status check_source(const std::string& source);
    Status check_empty();
    Status run_finish(const CopiedCounters& counters);

    std::unique_ptr<postgres::Connection> connection_;
    std::size_t bytes_per_write_;
    std::string waiting_;  // Rows in the form of COPY.
};

}  // namespace millrace
