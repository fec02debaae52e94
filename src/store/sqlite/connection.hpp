#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace millrace::sqlite {

// An empty text is stored as NULL.
inline std::optional<std::string_view> none_if_empty(std::string_view text) {
    if (text.empty()) return std::nullopt;
    return text;
}

namespace sql {
struct Statement;
}  // namespace sql

// The current row of a statement. Columns count from 0. Texts point into it.
class Row {
public:
    explicit Row(sqlite3_stmt* statement) : statement_(statement) {}

    bool is_null(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string_view text(int column) const;
    Instant instant(int column) const;
    // Empty when the column does not hold 16 bytes.
    std::optional<Id128> id(int column) const;
    // Empty when the column does not hold 32 bytes.
    std::optional<std::array<std::uint8_t, 32>> hash(int column) const;
    // Whatever it is, as it is stored.
    std::string_view bytes(int column) const;

private:
    sqlite3_stmt* statement_;
};

// One use of a prepared statement, which is ready for the next use when this is gone. Values are
// bound without copying: they must live until then.
class Cursor {
public:
    Cursor(sqlite3* database, sqlite3_stmt* statement);
    ~Cursor();

    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    // Each binds the next parameter. What is wrong with a value, next() says.
    void bind(std::nullopt_t);
    void bind(std::int32_t value) { bind(std::int64_t{value}); }
    void bind(std::int64_t value);
    void bind(double value);
    void bind(std::string_view value);
    void bind(Instant value);
    void bind(const Id128& value);
    void bind(const std::array<std::uint8_t, 32>& value);
    template <class Tag>
    void bind(const Id<Tag>& value) {
        bind(value.value);
    }
    template <class Tag>
    void bind(const Name<Tag>& value) {
        bind(std::string_view(value.value));
    }
    template <class Value>
    void bind(const std::optional<Value>& value) {
        value ? bind(*value) : bind(std::nullopt);
    }

    // Steps on. False when there is no further row.
    Result<bool> next();

    Row row() const { return Row(statement_); }

private:
    void note(int code);

    sqlite3* database_;
    sqlite3_stmt* statement_;
    int parameter_ = 0;
    int code_;
    // Ids in their stored form; no statement takes more of them.
    std::array<std::array<unsigned char, 16>, 4> ids_{};
    std::size_t id_count_ = 0;
};

// An open database file, used by one thread at a time. Statements are prepared on first use.
class Connection {
public:
    // immutable: of a file that nobody writes; nothing is made beside it. log_kept: the same with a
    // log beside it, which is read and stays as it is.
    enum class Mode { read_write, read_only, immutable, log_kept };

    // unavailable: it cannot be opened now.
    static Result<Connection> open(const std::string& path, Mode mode);

    // Calls `each(Row) -> Status` for each row that the statement gives.
    template <class Each, class... Values>
    Status for_each(const sql::Statement& statement, Each each, const Values&... values) {
        const auto all = [&each](const Row& row) -> Result<bool> {
            if (const Status status = each(row); !status) return status.error();
            return true;
        };
        return for_some(statement, all, values...);
    }

    // The same with an `each` that says whether it wants the next row: reading a large one takes
    // time, even if nobody looks at it.
    template <class Each, class... Values>
    Status for_some(const sql::Statement& statement, Each each, const Values&... values) {
        const Result<sqlite3_stmt*> prepared = prepare(statement);
        if (!prepared) return prepared.error();
        Cursor cursor(database_.get(), *prepared);
        (cursor.bind(values), ...);
        while (true) {
            const Result<bool> more = cursor.next();
            if (!more) return more.error();
            if (!*more) return ok();
            const Result<bool> goes_on = each(cursor.row());
            if (!goes_on) return goes_on.error();
            if (!*goes_on) return ok();
        }
    }

    // For statements that give no rows.
    template <class... Values>
    Status run(const sql::Statement& statement, const Values&... values) {
        return for_each(
            statement, [](Row) { return ok(); }, values...);
    }

    // For copying; it stays ours.
    sqlite3* handle() { return database_.get(); }

    // How many rows the last statement has changed.
    std::int64_t changes() const;

    // Prepares a statement, or finds it prepared.
    Result<sqlite3_stmt*> prepare(const sql::Statement& statement);

    // Runs a text of several statements.
    Status run_script(std::string_view script);

    // Whether commits wait for the disk. Between transactions.
    Status set_forced(bool is_forced);

    Status begin_write();  // Waits for a writer of another connection, for some seconds.
    Status begin_read();   // One snapshot for all that follows.

    // On any error but unavailable nobody can tell whether it took place: commit_unknown. A full
    // disk is unavailable.
    Status commit();

    // False when the connection is of no use any more.
    bool rollback();

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    explicit Connection(sqlite3* database) : database_(database) {}

    std::unique_ptr<sqlite3, Close> database_;
    std::vector<std::unique_ptr<sqlite3_stmt, Finalize>> statements_;  // By sql::Statement::index.
};

}  // namespace millrace::sqlite
