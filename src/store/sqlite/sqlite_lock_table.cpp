#include "store/sqlite/sqlite_lock_table.hpp"

#include <chrono>
#include <utility>

#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

// A statement about the table of that name. Its text lives as long as this.
struct AboutTable {
    AboutTable(const sql::Statement& about_default, const std::string& table)
        : text(with_lock_table(about_default.text, table)),
          statement{about_default.index, about_default.name, text} {}

    const std::string text;
    const sql::Statement statement;
};

bool is_health(ErrorCode code) {
    return code == ErrorCode::unavailable || code == ErrorCode::commit_unknown;
}

}  // namespace

struct SqliteLockTable::Statements {
    explicit Statements(const std::string& table)
        : check(sql::check_lock_table, table),
          create(sql::create_lock_table, table),
          take(sql::take_lock, table),
          give_back(sql::give_lock_back, table) {}

    const AboutTable check;
    const AboutTable create;
    const AboutTable take;
    const AboutTable give_back;
};

SqliteLockTable::SqliteLockTable(Writer& writer, std::string path, std::string table)
    : writer_(writer),
      path_(std::move(path)),
      table_(std::move(table)),
      statements_(std::make_unique<const Statements>(table_)) {}

SqliteLockTable::~SqliteLockTable() = default;

template <class Work>
Status SqliteLockTable::in_turn(const Work& work) {
    const Turn turn = writer_.take_turn();
    if (!connection_) {
        Result<Connection> opened = Connection::open(path_, Connection::Mode::read_write);
        if (!opened) {
            writer_.note(opened.error());
            return opened.error();
        }
        connection_.emplace(std::move(*opened));
    }
    Status status = connection_->begin_write();
    if (status) status = work(*connection_);
    if (status) status = connection_->commit();
    if (!status) {
        writer_.note(status.error());
        connection_.reset();  // Closed, and so rolled back.
    }
    return status;
}

// The file is this process's alone, so whoever may not migrate it still finds the table of the
// migrations there; only one of another name can be missing.
Status SqliteLockTable::prepare(LockTableMode mode) {
    const Status prepared = in_turn([&](Connection& connection) -> Status {
        if (mode == LockTableMode::create) {
            if (Status created = connection.run(statements_->create.statement); !created) {
                return created;
            }
        }
        return connection.run(statements_->check.statement);
    });
    if (prepared || is_health(prepared.error().code)) return prepared;
    return Error{ErrorCode::conflict, "The lock table \"" + table_ +
                                          "\" cannot be used: it is missing, or has other columns "
                                          "than name, lock_until, locked_at and locked_by."};
}

Result<bool> SqliteLockTable::lock(std::string_view name, std::string_view holder,
                                   Duration at_most) {
    bool is_taken = false;
    const auto see = [&](Row) {
        is_taken = true;
        return ok();
    };
    const Status status = in_turn([&](Connection& connection) {
        return connection.for_each(statements_->take.statement, see, name, holder,
                                   seconds(at_most));
    });
    if (!status) return status.error();
    return is_taken;
}

Status SqliteLockTable::unlock(std::string_view name, std::string_view holder, Duration at_least) {
    return in_turn([&](Connection& connection) {
        return connection.run(statements_->give_back.statement, name, holder, seconds(at_least));
    });
}

}  // namespace millrace::sqlite
