#include <sqlite3.h>

#include <chrono>
#include <string_view>

#include "floor/floor.hpp"
#include "floor_sqlite_sql.hpp"

namespace millrace::bench {

namespace {

namespace sql = millrace::sqlite::sql;

// As the engine sets its writer.
constexpr const char* kSettings =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;"
    "PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000;";

std::int64_t now_microseconds() {
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

class SqliteFloor : public Floor {
public:
    explicit SqliteFloor(const std::string& path) {
        check(sqlite3_open(path.c_str(), &database_));
        run(kSettings);
        run(std::string(sql::kMigrations.front().text).c_str());
        for (const sql::Statement& each : sql::kStatements) {
            check(sqlite3_prepare_v3(database_, each.text.data(),
                                     static_cast<int>(each.text.size()), SQLITE_PREPARE_PERSISTENT,
                                     &statements_[each.index], nullptr));
        }
    }
    ~SqliteFloor() override {
        for (sqlite3_stmt* statement : statements_) sqlite3_finalize(statement);
        sqlite3_close(database_);
    }
    SqliteFloor(const SqliteFloor&) = delete;
    SqliteFloor& operator=(const SqliteFloor&) = delete;

    void create(std::span<const StepRows> steps) override {
        const std::int64_t now = now_microseconds();
        run("BEGIN IMMEDIATE");
        for (const StepRows& step : steps) {
            execute(sql::insert_instance, step.instance_id, kVariables, kStateOpen, now);
        }
        for (const StepRows& step : steps) {
            execute(sql::insert_job, step.job_id, step.instance_id, ++seq_, now);
        }
        run("COMMIT");
    }

    void claim(std::size_t count) override {
        run("BEGIN IMMEDIATE");
        const std::size_t claimed = execute(sql::claim_jobs, static_cast<std::int64_t>(count),
                                            kWorkerId, now_microseconds() + 30'000'000);
        run("COMMIT");
        if (claimed != count) fail("claimed " + std::to_string(claimed) + " jobs");
    }

    void complete(std::span<const StepRows> steps) override {
        const std::int64_t now = now_microseconds();
        run("BEGIN IMMEDIATE");
        for (const StepRows& step : steps) {
            execute(sql::update_instance, step.instance_id, kStateClosed, now);
        }
        for (const StepRows& step : steps) execute(sql::delete_job, step.job_id);
        for (const StepRows& step : steps) {
            execute(sql::insert_step_execution, step.step_execution_id, kTries, now);
        }
        run("COMMIT");
    }

private:
    void check(int code) {
        if (code != SQLITE_OK) fail(sqlite3_errmsg(database_));
    }
    void run(const char* text) { check(sqlite3_exec(database_, text, nullptr, nullptr, nullptr)); }

    // The number of rows that it returned.
    template <class... Values>
    std::size_t execute(const sql::Statement& which, const Values&... values) {
        sqlite3_stmt* statement = statements_[which.index];
        int place = 0;
        (bind(statement, ++place, values), ...);
        std::size_t rows = 0;
        int code = sqlite3_step(statement);
        for (; code == SQLITE_ROW; code = sqlite3_step(statement)) ++rows;
        if (code != SQLITE_DONE) fail(sqlite3_errmsg(database_));
        sqlite3_reset(statement);
        return rows;
    }
    void bind(sqlite3_stmt* statement, int place, std::int64_t value) {
        check(sqlite3_bind_int64(statement, place, value));
    }
    void bind(sqlite3_stmt* statement, int place, std::string_view value) {
        check(sqlite3_bind_text(statement, place, value.data(), static_cast<int>(value.size()),
                                SQLITE_STATIC));
    }
    void bind(sqlite3_stmt* statement, int place, const IdBytes& value) {
        check(sqlite3_bind_blob(statement, place, value.data(), static_cast<int>(value.size()),
                                SQLITE_STATIC));
    }

    sqlite3* database_ = nullptr;
    std::array<sqlite3_stmt*, sql::kStatements.size()> statements_{};
    std::int64_t seq_ = 0;
};

}  // namespace

std::unique_ptr<Floor> sqlite_floor(const std::string& path) {
    return std::make_unique<SqliteFloor>(path);
}

}  // namespace millrace::bench
