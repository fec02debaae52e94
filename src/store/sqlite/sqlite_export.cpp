#include "store/sqlite/sqlite_export.hpp"

#include <sqlite3.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>

#include "store/row_sum.hpp"
#include "store/sqlite/database_file.hpp"
#include "store/sqlite/migrate.hpp"
#include "store/sqlite/sqlite_error.hpp"
#include "store/sqlite/unclean_stop.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace {

namespace {

using sqlite::Connection;
using sqlite::Cursor;
using sqlite::Row;

struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

Result<Statement> prepare(Connection& connection, const std::string& text) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v2(connection.handle(), text.data(),
                                        static_cast<int>(text.size()), &made, nullptr);
    if (code != SQLITE_OK) return sqlite::to_error(code);
    return Statement(made);
}

Status add_bytes_of(const std::string& path, Checksum& sum) {
    std::ifstream in(path, std::ios::binary);
    std::string piece(1 << 20, '\0');
    while (in.read(piece.data(), std::ssize(piece)) || in.gcount() > 0) {
        sum.add(std::string_view(piece).substr(0, static_cast<std::size_t>(in.gcount())));
    }
    if (in.eof()) return ok();
    return Error{ErrorCode::unavailable, path + " cannot be read."};
}

bool is_int32(std::int64_t value) {
    using Limits = std::numeric_limits<std::int32_t>;
    return value >= Limits::min() && value <= Limits::max();
}

// False when the column does not hold what it should.
bool read_cell(const Row& row, int column, CellType type, Cell& cell) {
    if (row.is_null(column)) {
        cell = std::monostate{};
        return true;
    }
    switch (type) {
        case CellType::int32: cell = row.integer(column); return is_int32(row.integer(column));
        case CellType::int64: cell = row.integer(column); return true;
        case CellType::real: cell = std::bit_cast<std::int64_t>(row.real(column)); return true;
        case CellType::instant: cell = row.instant(column); return true;
        case CellType::text: cell = std::string(row.text(column)); return true;
        case CellType::bytes: cell = std::string(row.bytes(column)); return true;
        case CellType::id: break;
    }
    const std::optional<Id128> id = row.id(column);
    if (id) cell = *id;
    return id.has_value();
}

Status read_row(const Row& row, const CopiedTable& table, Cells& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const CopiedColumn& column = table.columns[i];
        if (read_cell(row, static_cast<int>(i), column.type, cells[i])) continue;
        return Error{ErrorCode::internal, "A stored " + std::string(column.name) + " of a row of " +
                                              std::string(table.name) + " is corrupt."};
    }
    return ok();
}

void bind(Cursor& cursor, const Cell& cell) {
    std::visit(
        [&](const auto& value) {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::monostate>) {
                cursor.bind(std::nullopt);
            } else if constexpr (std::is_same_v<Value, std::string>) {
                cursor.bind(std::string_view(value));
            } else {
                cursor.bind(value);
            }
        },
        cell);
}

std::string from(const CopiedTable& table) {
    return " FROM " + std::string(table.name);
}

// The number in the one row that the statement gives, or 0.
Result<std::int64_t> read_number(Connection& connection, const sqlite::sql::Statement& statement) {
    std::int64_t number = 0;
    const auto note = [&](const Row& row) {
        number = row.integer(0);
        return ok();
    };
    const Status status = connection.for_each(statement, note);
    if (!status) return status.error();
    return number;
}

}  // namespace

SqliteExport::SqliteExport(const std::string& path) : path_(sqlite::behind_links(path)) {}

Status SqliteExport::open() {
    if (!std::filesystem::is_regular_file(path_)) {
        return Error{ErrorCode::not_found, "There is no database at " + path_ + "."};
    }
    if (Status status = lock_.take(path_); !status) return status;
    was_interrupted_ = sqlite::has_log(path_);
    const auto mode = was_interrupted_ ? Connection::Mode::log_kept : Connection::Mode::immutable;
    Result<Connection> opened = Connection::open(path_, mode);
    const Status checked = opened ? ok() : Status(opened.error());
    if (opened) connection_.emplace(std::move(*opened));
    const Status status = checked ? check() : checked;
    if (status || status.error().code != ErrorCode::internal) return status;
    return Error{ErrorCode::data_refused,
                 path_ + " is damaged, or no database of Millrace: " + status.error().detail};
}

Status SqliteExport::check() {
    const Status schema = sqlite::check_schema(*connection_, sqlite::sql::kMigrations);
    if (!schema) return schema;
    const Result<std::size_t> applied = sqlite::count_applied(*connection_);
    if (!applied) return applied.error();
    if (*applied < sqlite::sql::kMigrations.size()) {
        return Error{ErrorCode::conflict,
                     path_ +
                         " was written by an older program: start this version of the server "
                         "on it once, and stop it again."};
    }
    const Result<std::string> finding = sqlite::quick_finding(*connection_);
    if (!finding) return finding.error();
    if (finding->empty()) return ok();
    return Error{ErrorCode::data_refused, path_ + " is damaged: " + *finding + "."};
}

Result<std::string> SqliteExport::identity() const {
    Checksum sum;
    if (const Status status = add_bytes_of(path_, sum); !status) return status.error();
    if (was_interrupted_) {
        if (const Status status = add_bytes_of(sqlite::log_path(path_), sum); !status) {
            return status.error();
        }
    }
    return checksum_text(sum.value());
}

Result<std::int64_t> SqliteExport::count(const CopiedTable& table) {
    const Result<Statement> statement = prepare(*connection_, "SELECT count(*)" + from(table));
    if (!statement) return statement.error();
    Cursor cursor(connection_->handle(), statement->get());
    const Result<bool> found = cursor.next();
    if (!found) return found.error();
    return cursor.row().integer(0);
}

Status SqliteExport::read(const CopiedTable& table, const Cells& after, const EachRow& each) {
    const Result<Statement> statement = prepare(*connection_, selection(table, after.empty()));
    if (!statement) return statement.error();
    Cursor cursor(connection_->handle(), statement->get());
    for (const Cell& cell : after) bind(cursor, cell);
    Cells row(table.columns.size());
    while (true) {
        const Result<bool> more = cursor.next();
        if (!more) return more.error();
        if (!*more) return ok();
        if (Status status = read_row(cursor.row(), table, row); !status) return status;
        if (Status status = each(row); !status) return status;
    }
}

Result<CopiedCounters> SqliteExport::counters() {
    const auto definition_row_id = read_number(*connection_, sqlite::sql::last_definition_row_id);
    if (!definition_row_id) return definition_row_id.error();
    const auto job_seq = read_number(*connection_, sqlite::sql::last_job_seq);
    if (!job_seq) return job_seq.error();
    return CopiedCounters{.definition_row_id = *definition_row_id, .job_seq = *job_seq};
}

std::string SqliteExport::selection(const CopiedTable& table, bool is_first) const {
    std::string text = "SELECT ";
    for (const CopiedColumn& column : table.columns) {
        if (&column != table.columns.data()) text += ", ";
        text += column.name;
        // What a server does when it opens such a file: raise_lease_tokens.sql.
        if (was_interrupted_ && column.name == "lease_token") text += " + (status = 'UNLOCKED')";
    }
    const std::string key = names_of(table.key());
    text += from(table);
    if (!is_first) {
        text += " WHERE (" + key + ") > (?";
        for (std::size_t i = 1; i < table.key_size; ++i) text += ", ?";
        text += ")";
    }
    return text + " ORDER BY " + key;
}

}  // namespace millrace
