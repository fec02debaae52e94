#include "store/sqlite/connection.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "store/sqlite/sqlite_error.hpp"
#include "store/storable_text.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

constexpr int kBusyMilliseconds = 5'000;  // Only a foreign tool can be in the way.
constexpr int kIdBytes = 16;

std::array<unsigned char, kIdBytes> to_bytes(const Id128& id) {
    std::array<unsigned char, kIdBytes> bytes{};
    for (std::size_t n = 0; n < 8; ++n) {
        bytes[n] = static_cast<unsigned char>(id.high >> (56 - 8 * n));
        bytes[n + 8] = static_cast<unsigned char>(id.low >> (56 - 8 * n));
    }
    return bytes;
}

std::uint64_t read_big_endian(const unsigned char* bytes) {
    std::uint64_t value = 0;
    for (int n = 0; n < 8; ++n) value = value << 8 | bytes[n];
    return value;
}

// NORMAL would lose acknowledged commits with the machine; FULL is affordable in batches. A larger
// cache keeps the hot ends of the trees, and a longer log rewrites them less often.
constexpr std::string_view kWriterSettings =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;"
    "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000;";
constexpr std::string_view kReaderSettings =
    "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192;";
// A connection that has the file to itself keeps the index of the log in its memory, instead of in
// a file beside it. It must say so before its first look at the file.
constexpr std::string_view kAloneSettings = "PRAGMA locking_mode = EXCLUSIVE;";
// It cannot lock a file that it may only read; whoever asks for it has locked it by other means.
constexpr const char* kWithoutLocks = "unix-none";

// Nobody asks SQLite how much memory it uses, and counting takes a lock for each piece.
// Process-wide, so it must come before the first connection.
void stop_counting_memory() {
    static const int kDone = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    (void)kDone;  // A program that has opened a database before us keeps its counts.
}

std::string immutable_uri(const std::string& path) {
    std::string uri = "file:";
    for (const char c : path) {
        switch (c) {
            case '%': uri += "%25"; break;
            case '?': uri += "%3f"; break;
            case '#': uri += "%23"; break;
            default: uri += c;
        }
    }
    return uri + "?immutable=1";
}

}  // namespace

bool Row::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Row::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

double Row::real(int column) const {
    return sqlite3_column_double(statement_, column);
}

std::string_view Row::text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    if (bytes == nullptr) return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

Instant Row::instant(int column) const {
    return Instant{Duration{integer(column)}};
}

std::optional<Id128> Row::id(int column) const {
    const auto* bytes = static_cast<const unsigned char*>(sqlite3_column_blob(statement_, column));
    if (bytes == nullptr || sqlite3_column_bytes(statement_, column) != kIdBytes) return {};
    return Id128{read_big_endian(bytes), read_big_endian(bytes + 8)};
}

std::optional<std::array<std::uint8_t, 32>> Row::hash(int column) const {
    std::array<std::uint8_t, 32> hash{};
    const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_, column));
    if (bytes == nullptr || sqlite3_column_bytes(statement_, column) != std::ssize(hash)) return {};
    std::copy_n(bytes, hash.size(), hash.begin());
    return hash;
}

std::string_view Row::bytes(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    if (bytes == nullptr) return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

Cursor::Cursor(sqlite3* database, sqlite3_stmt* statement)
    : database_(database), statement_(statement), code_(SQLITE_OK) {}

Cursor::~Cursor() {
    sqlite3_reset(statement_);
}

void Cursor::bind(std::nullopt_t) {
    note(sqlite3_bind_null(statement_, ++parameter_));
}

void Cursor::bind(std::int64_t value) {
    note(sqlite3_bind_int64(statement_, ++parameter_, value));
}

void Cursor::bind(double value) {
    note(sqlite3_bind_double(statement_, ++parameter_, value));
}

// What SQLite would keep and other databases would not is refused as if it were a broken
// constraint.
void Cursor::bind(std::string_view value) {
    if (!is_storable(value)) note(SQLITE_CONSTRAINT);
    // Null would be the absence of a text.
    const char* bytes = value.data() == nullptr ? "" : value.data();
    note(sqlite3_bind_text64(statement_, ++parameter_, bytes, value.size(), SQLITE_STATIC,
                             SQLITE_UTF8));
}

void Cursor::bind(Instant value) {
    bind(value.time_since_epoch().count());
}

void Cursor::bind(const Id128& value) {
    auto& bytes = ids_.at(id_count_++);
    bytes = to_bytes(value);
    note(sqlite3_bind_blob(statement_, ++parameter_, bytes.data(), kIdBytes, SQLITE_STATIC));
}

void Cursor::bind(const std::array<std::uint8_t, 32>& value) {
    note(sqlite3_bind_blob(statement_, ++parameter_, value.data(), static_cast<int>(value.size()),
                           SQLITE_STATIC));
}

Result<bool> Cursor::next() {
    if (code_ != SQLITE_OK) return to_error(code_);
    switch (sqlite3_step(statement_)) {
        case SQLITE_ROW: return true;
        case SQLITE_DONE: return false;
        default: return to_error(sqlite3_extended_errcode(database_));
    }
}

void Cursor::note(int code) {
    if (code_ == SQLITE_OK) code_ = code;
}

void Connection::Close::operator()(sqlite3* database) const {
    sqlite3_close_v2(database);
}

void Connection::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Result<Connection> Connection::open(const std::string& path, Mode mode) {
    stop_counting_memory();
    const bool writes = mode == Mode::read_write;
    const int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const bool is_uri = mode == Mode::immutable;
    const std::string name = is_uri ? immutable_uri(path) : path;
    sqlite3* database = nullptr;
    const bool keeps_log = mode == Mode::log_kept;
    const int code = sqlite3_open_v2(name.c_str(), &database,
                                     flags | SQLITE_OPEN_NOMUTEX | (is_uri ? SQLITE_OPEN_URI : 0),
                                     keeps_log ? kWithoutLocks : nullptr);
    Connection connection(database);
    if (code != SQLITE_OK) return to_error(code);
    sqlite3_busy_timeout(database, kBusyMilliseconds);
    if (keeps_log) {
        sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        const Status alone = connection.run_script(kAloneSettings);
        if (!alone) return alone.error();
    }
    Status status = connection.run_script(writes ? kWriterSettings : kReaderSettings);
    if (!status) return status.error();
    return connection;
}

std::int64_t Connection::changes() const {
    return sqlite3_changes64(database_.get());
}

Result<sqlite3_stmt*> Connection::prepare(const sql::Statement& statement) {
    if (statements_.empty()) statements_.resize(sql::kStatements.size());
    auto& prepared = statements_.at(statement.index);
    if (prepared == nullptr) {
        sqlite3_stmt* made = nullptr;
        const int code = sqlite3_prepare_v3(database_.get(), statement.text.data(),
                                            static_cast<int>(statement.text.size()),
                                            SQLITE_PREPARE_PERSISTENT, &made, nullptr);
        if (code != SQLITE_OK) return to_error(code);
        prepared.reset(made);
    }
    return prepared.get();
}

Status Connection::run_script(std::string_view script) {
    const std::string text(script);  // It must end with a NUL.
    const int code = sqlite3_exec(database_.get(), text.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return to_error(code);
    return ok();
}

Status Connection::set_forced(bool is_forced) {
    return run_script(is_forced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
}

Status Connection::begin_write() {
    return run_script("BEGIN IMMEDIATE");
}

Status Connection::begin_read() {
    return run_script("BEGIN");
}

Status Connection::commit() {
    const int code = sqlite3_exec(database_.get(), "COMMIT", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return ok();
    const bool still_open = sqlite3_get_autocommit(database_.get()) == 0;
    const bool only_busy = (code & 0xFF) == SQLITE_BUSY && still_open;
    // The last that a commit writes is the frame that makes it one, and it found no room: an error
    // behind it, of flushing, is another code.
    const bool is_full = (code & 0xFF) == SQLITE_FULL;
    Error error = to_error(code);
    error.code = only_busy || is_full ? ErrorCode::unavailable : ErrorCode::commit_unknown;
    return error;
}

bool Connection::rollback() {
    if (sqlite3_get_autocommit(database_.get()) != 0) return true;  // SQLite did it itself.
    return bool(run_script("ROLLBACK"));
}

}  // namespace millrace::sqlite
