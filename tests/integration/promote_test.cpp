#include "server/promote.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "store/postgres/postgres_database.hpp"
#include "store/sqlite/migrate.hpp"
#include "store/sqlite/sqlite_database.hpp"
#include "store_sqlite_sql.hpp"
#include "support/postgres_server.hpp"
#include "support/promotion_source.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

// Every file of a folder but the lock, which holds the number of a process.
std::map<std::string, std::string> files_of(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (name.ends_with(".lock")) continue;
        std::ostringstream text;
        text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        files.emplace(name, std::move(text).str());
    }
    return files;
}

class PromoteTest : public testing::Test {
protected:
    Result<std::vector<PromotedTable>> promote_source(std::size_t bytes_per_write = 8 << 20) {
        return promote(
            {.from = "sqlite:" + path_, .to = schema_.target(), .bytes_per_write = bytes_per_write},
            [](const PromotionProgress&) {});
    }

    void expect_refused(ErrorCode code, const std::string& part) {
        const auto promoted = promote_source();
        ASSERT_FALSE(promoted);
        EXPECT_EQ(promoted.error().code, code) << promoted.error().detail;
        EXPECT_NE(promoted.error().detail.find(part), std::string::npos) << promoted.error().detail;
    }

    // What the first process that serves the source leaves when it ends by itself.
    void fill() {
        SqliteDatabase database(path_);
        fill_with_everything(database, clock_);
    }

    // What it leaves when it is killed: the files of a running server.
    void fill_and_kill() {
        const TemporaryFolder elsewhere;
        const std::string running = elsewhere.path() / "millrace.db";
        SqliteDatabase database(running);
        fill_with_everything(database, clock_);
        for (const char* suffix : {"", "-wal"}) fs::copy_file(running + suffix, path_ + suffix);
    }

    // Kills a promotion at its n-th word of progress. False: it came to its end before.
    bool is_killed_at(int point) {
        const pid_t child = fork();
        MILLRACE_CHECK(child >= 0);
        if (child == 0) {
            int seen = 0;
            const auto promoted = promote({.from = "sqlite:" + path_,
                                           .to = schema_.target(),
                                           .bytes_per_write = 500,
                                           .rows_per_report = 3},
                                          [&](const PromotionProgress&) {
                                              if (++seen == point) raise(SIGKILL);
                                          });
            _exit(promoted ? 0 : 1);
        }
        int status = 0;
        MILLRACE_CHECK(waitpid(child, &status, 0) == child);
        EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
        return WIFSIGNALED(status);
    }

    // Of the job in the target that nobody has claimed yet.
    std::int64_t lease_token_of_work() {
        PostgresDatabase target({.target = schema_.target()});
        const auto jobs =
            target.reader()->jobs({.workspace_id = kWorkspace, .job_type = "work"}, {});
        EXPECT_TRUE(jobs && jobs->items.size() == 1);
        return jobs->items.at(0).lease_token;
    }

    TemporaryFolder folder_;
    std::string path_ = folder_.path() / "millrace.db";
    PostgresSchema schema_;
    FakeClock clock_{kNoon};
};

TEST_F(PromoteTest, EveryReaderAnswersTheSame) {
    fill();
    const auto before = files_of(folder_.path());
    const auto promoted = promote_source();
    ASSERT_TRUE(promoted) << promoted.error().detail;
    EXPECT_EQ(files_of(folder_.path()), before) << "the source is untouched";
    for (const PromotedTable& table : *promoted) EXPECT_GT(table.sum.rows, 0) << table.name;

    SqliteDatabase source(path_);
    PostgresDatabase target({.target = schema_.target()});
    ASSERT_TRUE(target.migrate());
    expect_same_answers(*source.reader(), *target.reader(), clock_.now());
}

TEST_F(PromoteTest, EverythingGoesOnToItsEnd) {
    fill();
    const auto promoted = promote_source();
    ASSERT_TRUE(promoted) << promoted.error().detail;
    PostgresDatabase target({.target = schema_.target()});
    ASSERT_TRUE(target.migrate());
    finish_everything(target, clock_);
}

TEST_F(PromoteTest, TheLogOfAKilledServerIsReadAndStays) {
    fill_and_kill();
    const auto before = files_of(folder_.path());
    ASSERT_TRUE(before.contains("millrace.db-wal"));
    const auto promoted = promote_source();
    ASSERT_TRUE(promoted) << promoted.error().detail;
    EXPECT_EQ(files_of(folder_.path()), before);

    PostgresDatabase target({.target = schema_.target()});
    ASSERT_TRUE(target.migrate());
    // As a server does that opens such a file, so that no token names two claims.
    SqliteDatabase recovered(path_);
    ASSERT_TRUE(recovered.migrate());
    expect_same_answers(*recovered.reader(), *target.reader(), clock_.now());
    finish_everything(target, clock_);
}

TEST_F(PromoteTest, LeaseTokensStayAfterACleanStop) {
    fill();
    ASSERT_TRUE(promote_source());
    EXPECT_EQ(lease_token_of_work(), 0);
}

TEST_F(PromoteTest, LeaseTokensRiseWithoutACleanStop) {
    fill_and_kill();
    ASSERT_TRUE(promote_source());
    EXPECT_EQ(lease_token_of_work(), 1);
}

// Goal: wherever a promotion dies, the same call again ends as if nothing had happened, and no
// server starts in between.
// Method: kill -9 at its first word of progress, then at the second, until one comes to its end.
TEST_F(PromoteTest, GoesOnAfterKill9AtEveryPoint) {
    fill();
    const auto before = files_of(folder_.path());
    int kills = 0;
    while (is_killed_at(kills + 1)) {
        ASSERT_LT(++kills, 10'000);
        if (kills == 1) continue;  // Before it has said anything to the target.
        PostgresDatabase target({.target = schema_.target()});
        const Status refused = target.migrate();
        ASSERT_FALSE(refused) << "a server would run on a part, at point " << kills;
        EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    }
    EXPECT_GT(kills, 30);
    EXPECT_EQ(files_of(folder_.path()), before);
    SqliteDatabase source(path_);
    PostgresDatabase target({.target = schema_.target()});
    ASSERT_TRUE(target.migrate());
    expect_same_answers(*source.reader(), *target.reader(), clock_.now());
    finish_everything(target, clock_);
}

TEST_F(PromoteTest, RefusesASourceThatAServerHas) {
    SqliteDatabase database(path_);
    ASSERT_TRUE(database.migrate());
    expect_refused(ErrorCode::conflict, "in use");
}

TEST_F(PromoteTest, RefusesWhatIsNoSource) {
    expect_refused(ErrorCode::not_found, "no database");
    std::ofstream(path_) << std::string(10'000, 'x');
    expect_refused(ErrorCode::data_refused, "no database of Millrace");
}

TEST_F(PromoteTest, RefusesAnOlderSource) {
    {
        using sqlite::Connection;
        Result<Connection> connection = Connection::open(path_, Connection::Mode::read_write);
        ASSERT_TRUE(connection);
        ASSERT_TRUE(sqlite::migrate(*connection, std::span(sqlite::sql::kMigrations).first<1>()));
    }
    const auto before = files_of(folder_.path());
    expect_refused(ErrorCode::conflict, "older program");
    EXPECT_EQ(files_of(folder_.path()), before);
}

TEST_F(PromoteTest, RefusesANewerSource) {
    fill();
    {
        using sqlite::Connection;
        Result<Connection> connection = Connection::open(path_, Connection::Mode::read_write);
        ASSERT_TRUE(connection);
        ASSERT_TRUE(connection->run(sqlite::sql::insert_migration, std::int64_t{9999},
                                    "9999_future", "0000000000000000"));
    }
    expect_refused(ErrorCode::conflict, "newer");
}

TEST_F(PromoteTest, RefusesATargetThatIsNotEmpty) {
    fill();
    PostgresDatabase target({.target = schema_.target()});
    ASSERT_TRUE(target.migrate());
    TestNode(target, clock_).upload(kSimple);
    expect_refused(ErrorCode::conflict, "not empty");
    EXPECT_TRUE(target.migrate()) << "it stays in service";
}

TEST_F(PromoteTest, RefusesATargetWhoseDefaultWorkspaceSomebodyHasChanged) {
    fill();
    PostgresDatabase target({.target = schema_.target()});
    ASSERT_TRUE(target.migrate());
    const auto found = target.reader()->workspace({"default"});
    ASSERT_TRUE(found && *found);
    Workspace changed = **found;
    changed.name = "Precious";
    changed.changed_at = changed.created_at + 1s;
    const auto store = target.batch_store();
    ASSERT_TRUE(store->load({}));
    ASSERT_TRUE(store->apply({.workspaces = {changed}}));
    expect_refused(ErrorCode::conflict, "rows in workspace");
    EXPECT_EQ((*target.reader()->workspace({"default"}))->name, "Precious");
}

TEST_F(PromoteTest, RefusesATargetThatAServerRunsOn) {
    fill();
    PostgresDatabase target({.target = schema_.target()});
    ASSERT_TRUE(target.migrate());
    const Replica running{.id = {1, 2}, .name = "host:8080", .version = "1"};
    ASSERT_TRUE(target.cluster()->report(running, 10s));
    expect_refused(ErrorCode::conflict, "host:8080");
    ASSERT_TRUE(target.cluster()->leave(running.id));
    EXPECT_TRUE(promote_source());
}

TEST_F(PromoteTest, RefusesToPromoteTwice) {
    fill();
    ASSERT_TRUE(promote_source());
    expect_refused(ErrorCode::conflict, "not empty");
}

TEST_F(PromoteTest, RefusesToGoOnWithAnotherSource) {
    fill();
    ASSERT_TRUE(is_killed_at(5));
    {
        // A server that runs for a moment makes it another one.
        SqliteDatabase database(path_);
        ASSERT_TRUE(database.migrate());
        ASSERT_TRUE(TestNode(database, clock_).start("simple"));
    }
    expect_refused(ErrorCode::conflict, "another store");
}

TEST_F(PromoteTest, ATargetThatCannotBeReachedCanBeTriedAgain) {
    fill();
    const auto promoted =
        promote({.from = "sqlite:" + path_, .to = "postgresql://nobody@127.0.0.1:1/nothing"},
                [](const PromotionProgress&) {});
    ASSERT_FALSE(promoted);
    EXPECT_EQ(promoted.error().code, ErrorCode::unavailable);
}

TEST_F(PromoteTest, RefusesOtherKindsOfStores) {
    const auto nothing = [](const PromotionProgress&) {
    };
    for (const auto& [from, to] :
         std::vector<std::pair<std::string, std::string>>{{"postgresql://a/b", "postgresql://a/c"},
                                                          {"sqlite:a.db", "sqlite:b.db"},
                                                          {"a.db", ""}}) {
        const auto promoted = promote({.from = from, .to = to}, nothing);
        ASSERT_FALSE(promoted);
        EXPECT_EQ(promoted.error().code, ErrorCode::invalid_argument);
    }
}

// A server that runs on the target meanwhile claims a job.
TEST_F(PromoteTest, ACopyThatDiffersIsNoticed) {
    fill();
    PostgresDatabase target({.target = schema_.target()});
    const auto promoted = promote({.from = "sqlite:" + path_, .to = schema_.target()},
                                  [&](const PromotionProgress& progress) {
                                      if (progress.what != "rows of definition compared") return;
                                      EXPECT_EQ(TestNode(target, clock_).poll("work").size(), 1U);
                                  });
    ASSERT_FALSE(promoted);
    EXPECT_EQ(promoted.error().code, ErrorCode::data_refused);
    EXPECT_NE(promoted.error().detail.find("job"), std::string::npos);
    EXPECT_FALSE(target.migrate()) << "it is not marked as whole";
}

TEST_F(PromoteTest, AnEmptySourceMovesToo) {
    {
        SqliteDatabase database(path_);
        ASSERT_TRUE(database.migrate());
    }
    const auto promoted = promote_source();
    ASSERT_TRUE(promoted) << promoted.error().detail;
    PostgresDatabase target({.target = schema_.target()});
    ASSERT_TRUE(target.migrate());
    TestNode node(target, clock_);
    EXPECT_EQ(node.upload(kSimple).version, 1);
}

// Tables that are not carried: what they hold means nothing to another store.
const std::set<std::string> kNotCarried{
    "schema_migration",  // Each store has its own.
    "commit_mark",       // No committer of before is in doubt.
    "job_seq",           // A sequence there; see CopiedCounters.
    "replica",           // Which servers run.
    "workspace_queue",   // Each workspace begins a new line.
    "duty_lease",        // Who does what one does for all,
    "shedlock",          // and who works off the queue.
};

using Columns = std::map<std::string, std::string>;  // Type, by "table.column".

Columns carried(const std::map<CellType, std::string>& types) {
    Columns columns;
    for (const CopiedTable& table : copied_tables()) {
        for (const CopiedColumn& column : table.columns) {
            columns[std::string(table.name) + "." + std::string(column.name)] =
                types.at(column.type);
        }
    }
    return columns;
}

std::string catalogue_statement(const std::string& dialect) {
    std::ostringstream text;
    text << std::ifstream(fs::path(MILLRACE_CATALOGUE_FOLDER) / (dialect + ".sql")).rdbuf();
    return std::move(text).str();
}

// "table.column type", one to a line.
Columns columns_from(const std::string& lines) {
    Columns columns;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        const std::size_t space = line.find(' ');
        const bool is_carried = !kNotCarried.contains(line.substr(0, line.find('.')));
        if (is_carried) columns[line.substr(0, space)] = line.substr(space + 1);
    }
    return columns;
}

// A migration that adds a table or a column has to say here or in copied_tables.cpp what becomes of
// it.
TEST_F(PromoteTest, EveryColumnOfTheEmbeddedStoreIsCarried) {
    {
        SqliteDatabase database(path_);
        ASSERT_TRUE(database.migrate());
    }
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    std::string lines;
    const auto add = [](void* text, int, char** values, char**) {
        *static_cast<std::string*>(text) += std::string(values[0]) + "\n";
        return 0;
    };
    const std::string statement = catalogue_statement("sqlite");
    ASSERT_EQ(sqlite3_exec(database, statement.c_str(), add, &lines, nullptr), SQLITE_OK);
    sqlite3_close(database);
    EXPECT_EQ(columns_from(lines), carried({{CellType::int32, "INTEGER"},
                                            {CellType::int64, "INTEGER"},
                                            {CellType::instant, "INTEGER"},
                                            {CellType::text, "TEXT"},
                                            {CellType::real, "REAL"},
                                            {CellType::bytes, "BLOB"},
                                            {CellType::id, "BLOB"}}));
}

TEST_F(PromoteTest, EveryColumnOfPostgresIsCarried) {
    PostgresDatabase target({.target = schema_.target()});
    ASSERT_TRUE(target.migrate());
    const std::string lines =
        PostgresSession(schema_.target()).run(catalogue_statement("postgres"));
    EXPECT_EQ(columns_from(lines), carried({{CellType::int32, "integer"},
                                            {CellType::int64, "bigint"},
                                            {CellType::instant, "timestamp with time zone"},
                                            {CellType::text, "text"},
                                            {CellType::real, "double precision"},
                                            {CellType::bytes, "bytea"},
                                            {CellType::id, "uuid"}}));
}

}  // namespace
}  // namespace millrace
