#pragma once

#include <functional>
#include <optional>
#include <string>

#include "store/copied_tables.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/file_lock.hpp"

namespace millrace {

// Reads a database row by row, for another store, and changes nothing of it: the file and the log
// that an interrupted process may have left stay as they are, byte by byte. No server can open it
// meanwhile.
class SqliteExport {
public:
    explicit SqliteExport(const std::string& path);

    // not_found: there is no such database; conflict: a server has it, or it was written by a newer
    // or an older program; data_refused: it is damaged, or none of ours.
    Status open();

    // The same for the same bytes, log included, and for no others. Reads all of them.
    Result<std::string> identity() const;

    Result<std::int64_t> count(const CopiedTable& table);

    // Calls `each` for every row behind that key, in the order of keys, until it fails. An empty
    // key comes before all. internal: a row is corrupt.
    using EachRow = std::function<Status(const Cells& row)>;
    Status read(const CopiedTable& table, const Cells& after, const EachRow& each);

    Result<CopiedCounters> counters();

private:
    Status check();
    std::string selection(const CopiedTable& table, bool is_first) const;

    std::string path_;
    sqlite::FileLock lock_;
    std::optional<sqlite::Connection> connection_;
    // Claims may be lost with the machine, and their tokens with them (docs/adr/0007).
    bool was_interrupted_ = false;
};

}  // namespace millrace
