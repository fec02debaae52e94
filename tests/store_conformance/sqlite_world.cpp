#include <sqlite3.h>
#include <sys/resource.h>

#include <csignal>
#include <string_view>

#include "base/check.hpp"
#include "store/sqlite/sqlite_database.hpp"
#include "store_conformance/world.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {

namespace {

enum class Cut { none, before_commit, after_commit };

Cut cut_now = Cut::none;

// No file may grow, so the log cannot be written. In place of the signal there is an error.
void let_files_grow(bool may_grow) {
    (void)std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    MILLRACE_CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = may_grow ? limit.rlim_max : 0;
    MILLRACE_CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

int fail_after_commit(void*, sqlite3*, const char*, int) {
    return SQLITE_IOERR;  // Becomes the result of a COMMIT that has taken place.
}

int before_statement(unsigned, void*, void* statement, void* text) {
    if (std::string_view(static_cast<const char*>(text)) != "COMMIT") return 0;
    if (cut_now == Cut::before_commit) let_files_grow(false);
    if (cut_now == Cut::after_commit) {
        sqlite3_wal_hook(sqlite3_db_handle(static_cast<sqlite3_stmt*>(statement)),
                         fail_after_commit, nullptr);
    }
    return 0;
}

int watch(sqlite3* database, const char**, const sqlite3_api_routines*) {
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, before_statement, nullptr);
}

// A file in a folder of its own. Faults come in at SQLite's own seams: the store knows of none.
class SqliteWorld final : public DoubtfulWorld {
public:
    SqliteWorld() {
        MILLRACE_CHECK(sqlite3_auto_extension(reinterpret_cast<void (*)()>(watch)) == SQLITE_OK);
        MILLRACE_CHECK(database_.migrate());
    }
    ~SqliteWorld() override {
        heal();
        sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(watch));
    }

    SqliteWorld(const SqliteWorld&) = delete;
    SqliteWorld& operator=(const SqliteWorld&) = delete;

    Database& database() override { return database_; }
    void run_sql(const std::string& statement) override {
        sqlite3* beside = nullptr;
        MILLRACE_CHECK(sqlite3_open(path_.c_str(), &beside) == SQLITE_OK);
        MILLRACE_CHECK(sqlite3_exec(beside, statement.c_str(), nullptr, nullptr, nullptr) ==
                       SQLITE_OK);
        MILLRACE_CHECK(sqlite3_close(beside) == SQLITE_OK);
    }
    void cut_before_commit() override { cut_now = Cut::before_commit; }
    void cut_after_commit() override { cut_now = Cut::after_commit; }
    void heal() override {
        cut_now = Cut::none;
        let_files_grow(true);
    }

private:
    TemporaryFolder folder_;
    const std::string path_ = folder_.path() / "data" / "millrace.db";
    SqliteDatabase database_{path_};
};

}  // namespace

std::unique_ptr<DoubtfulWorld> make_sqlite_world() {
    return std::make_unique<SqliteWorld>();
}

}  // namespace millrace
