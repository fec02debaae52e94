#include "store/sqlite/backup.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "store/sqlite/sqlite_database.hpp"
#include "store_sqlite_sql.hpp"
#include "support/instances.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

class BackupTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(database_.migrate()); }

    static Status write(Database& database, const Writes& writes) {
        const std::unique_ptr<BatchStore> store = database.batch_store();
        const Result<LoadedRows> rows = store->load({});
        return rows ? store->apply(writes) : Status(rows.error());
    }

    std::string path(const char* name) const { return folder_.path() / name; }

    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            names.push_back(entry.path().filename());
        }
        std::ranges::sort(names);
        return names;
    }

    TemporaryFolder folder_;
    SqliteDatabase database_{folder_.path() / "live.db"};
};

TEST_F(BackupTest, IsACopyThatIsGoneWhenNobodyNeedsIt) {
    ASSERT_TRUE(write(database_, {.instances_new = {waiting_instance(1)}}));
    auto backup = database_.back_up();
    ASSERT_TRUE(backup) << backup.error().detail;
    ASSERT_TRUE(write(database_, {.instances_new = {waiting_instance(2)}}));
    EXPECT_TRUE(sqlite::check_backup((*backup)->path()));
    ASSERT_TRUE(sqlite::restore_backup((*backup)->path(), path("restored.db")));

    SqliteDatabase restored(path("restored.db"));
    ASSERT_TRUE(restored.migrate());
    EXPECT_EQ(*restored.reader()->instance(instance_key(1)), waiting_instance(1));
    EXPECT_EQ(*restored.reader()->instance(instance_key(2)), std::nullopt);

    const std::string copy = (*backup)->path();
    EXPECT_TRUE(fs::exists(copy));
    *backup = nullptr;
    EXPECT_FALSE(fs::exists(copy));
}

TEST_F(BackupTest, EndsBetweenTwoStepsWhenItIsNotWantedAnyMore) {
    for (std::uint32_t n = 1; n <= 20; ++n) {
        Instance large = waiting_instance(n);
        large.variables = Variables::from_text("\"" + std::string(1'000'000, 'x') + "\"");
        ASSERT_TRUE(write(database_, {.instances_new = {large}}));
    }
    auto source = sqlite::Connection::open(path("live.db"), sqlite::Connection::Mode::read_only);
    ASSERT_TRUE(source);
    const std::vector<std::string> before = files();
    int steps = 0;
    const Status status =
        sqlite::copy_database(*source, path("copy.db"), [&] { return ++steps < 2; });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::unavailable);
    EXPECT_EQ(steps, 2);
    EXPECT_EQ(files(), before);
}

TEST_F(BackupTest, AStoreThatIsToEndMakesNoCopies) {
    ASSERT_TRUE(write(database_, {.instances_new = {waiting_instance(1)}}));
    const std::vector<std::string> before = files();
    database_.stop_backups();
    const auto backup = database_.back_up();
    ASSERT_FALSE(backup);
    EXPECT_EQ(backup.error().code, ErrorCode::unavailable);
    EXPECT_EQ(files(), before);
}

TEST_F(BackupTest, SaysWhatAFileIsInstead) {
    const std::string named = path("a file");
    const auto refusal = [&](const std::string& content) {
        std::ofstream(named, std::ios::binary | std::ios::trunc) << content;
        return sqlite::check_backup(named).error().detail;
    };
    EXPECT_EQ(refusal(""), named + " is no backup of Millrace: it is empty.");
    EXPECT_EQ(refusal(std::string(5000, 'x')),
              named + " is no backup of Millrace: it is no database.");
    fs::remove(named);
    {
        auto other = sqlite::Connection::open(named, sqlite::Connection::Mode::read_write);
        ASSERT_TRUE(other);
        ASSERT_TRUE(other->run_script("PRAGMA user_version = 1"));
    }
    EXPECT_EQ(sqlite::check_backup(named).error().detail,
              named + " is no backup of Millrace: its tables are missing.");
}

TEST_F(BackupTest, IsForItsOwnerAlone) {
    auto backup = database_.back_up();
    ASSERT_TRUE(backup);
    ASSERT_TRUE(sqlite::restore_backup((*backup)->path(), path("restored.db")));
    ASSERT_TRUE(
        sqlite::back_up_closed_database(path("restored.db"), path("copy_of_a_directory.db")));
    for (const std::string& each :
         {(*backup)->path(), path("restored.db"), path("copy_of_a_directory.db")}) {
        EXPECT_EQ(fs::status(each).permissions(), fs::perms(0600)) << each;
    }
}

// Goal: a copy of a store that is written to is one of its states, and writing goes on.
// Method: batches of a job and an instance with one number; in a copy both are there or neither.
TEST_F(BackupTest, IsOneMomentOfAStoreThatIsWrittenTo) {
    std::atomic<bool> is_over = false;
    std::atomic<std::uint32_t> written = 0;
    std::thread writer([&] {
        for (std::uint32_t n = 1; !is_over; ++n) {
            if (!write(database_,
                       {.instances_new = {waiting_instance(n)}, .jobs_new = {unlocked_job(n)}})) {
                break;
            }
            written = n;
            written.notify_one();
        }
    });
    written.wait(0);
    for (int round = 0; round < 5; ++round) {
        const std::uint32_t before = written;
        const auto backup = database_.back_up();
        ASSERT_TRUE(backup);
        EXPECT_TRUE(sqlite::check_backup((*backup)->path()));
        const std::string restored = path(("restored" + std::to_string(round)).c_str());
        ASSERT_TRUE(sqlite::restore_backup((*backup)->path(), restored));
        SqliteDatabase copy(restored);
        ASSERT_TRUE(copy.migrate());
        const std::unique_ptr<Reader> reader = copy.reader();
        EXPECT_TRUE((*reader->instance(instance_key(before))).has_value());
        std::uint32_t n = before;
        while ((*reader->instance(instance_key(n))).has_value()) {
            ASSERT_TRUE((*reader->job(job_key(n))).has_value()) << n;
            ++n;
        }
        EXPECT_FALSE((*reader->job(job_key(n))).has_value()) << n;
        written.wait(before);
    }
    is_over = true;
    writer.join();
}

TEST_F(BackupTest, OfAKilledServerIsRemovedAtTheNextStart) {
    std::ofstream(path("other.db.backup-7")) << "rest";
    std::ofstream(path("other.db.backups")) << "not ours";
    ASSERT_TRUE(SqliteDatabase(path("other.db")).migrate());
    EXPECT_FALSE(fs::exists(path("other.db.backup-7")));
    EXPECT_TRUE(fs::exists(path("other.db.backups")));
}

TEST_F(BackupTest, OfADatabaseThatNobodyHasOpen) {
    {
        SqliteDatabase other(path("closed.db"));
        ASSERT_TRUE(other.migrate());
        ASSERT_TRUE(write(other, {.instances_new = {waiting_instance(1)}}));
    }
    ASSERT_TRUE(sqlite::back_up_closed_database(path("closed.db"), path("b%41?.backup")));
    EXPECT_TRUE(sqlite::check_backup(path("b%41?.backup")));
    for (const std::string& name : files())
        EXPECT_EQ(name.find(".part"), std::string::npos) << name;

    const Status live = sqlite::back_up_closed_database(path("live.db"), path("x"));
    ASSERT_FALSE(live);
    EXPECT_EQ(live.error().code, ErrorCode::conflict);
    const Status none = sqlite::back_up_closed_database(path("none.db"), path("x"));
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::not_found);
    EXPECT_FALSE(fs::exists(path("x")));
}

TEST_F(BackupTest, OfAKilledServerLeavesItsLog) {
    {
        SqliteDatabase running(path("running.db"));
        ASSERT_TRUE(running.migrate());
        ASSERT_TRUE(write(running, {.instances_new = {waiting_instance(1)}}));
        for (const char* suffix : {"", "-wal"}) {
            fs::copy_file(path("running.db") + suffix, path("killed.db") + suffix);
        }
    }
    const auto log_bytes = fs::file_size(path("killed.db-wal"));
    ASSERT_GT(log_bytes, 0u);
    ASSERT_TRUE(sqlite::back_up_closed_database(path("killed.db"), path("killed.backup")));
    EXPECT_EQ(fs::file_size(path("killed.db-wal")), log_bytes);
    ASSERT_TRUE(sqlite::restore_backup(path("killed.backup"), path("restored.db")));
    SqliteDatabase restored(path("restored.db"));
    ASSERT_TRUE(restored.migrate());
    EXPECT_TRUE((*restored.reader()->instance(instance_key(1))).has_value());
}

struct Wrong {
    const char* name;
    void (*make)(const std::string& path);
    ErrorCode code;
};

TEST_F(BackupTest, IsRefusedWhenItIsNoneOrNotSound) {
    {
        SqliteDatabase other(path("good.db"));
        ASSERT_TRUE(other.migrate());
        std::vector<Instance> many;
        for (std::uint32_t n = 1; n < 200; ++n) many.push_back(waiting_instance(n));
        ASSERT_TRUE(write(other, {.instances_new = many}));
    }
    for (const Wrong& wrong : {
             Wrong{"missing", [](const std::string&) {}, ErrorCode::not_found},
             Wrong{"empty", [](const std::string& p) { std::ofstream file(p); },
                   ErrorCode::data_refused},
             Wrong{"text", [](const std::string& p) { std::ofstream(p) << std::string(9999, 'x'); },
                   ErrorCode::data_refused},
             Wrong{"of another program",
                   [](const std::string& p) {
                       auto made =
                           sqlite::Connection::open(p, sqlite::Connection::Mode::read_write);
                       EXPECT_TRUE(made->run_script("PRAGMA user_version = 7"));
                   },
                   ErrorCode::data_refused},
             Wrong{"cut", [](const std::string& p) { fs::resize_file(p, fs::file_size(p) / 2); },
                   ErrorCode::data_refused},
             Wrong{
                 "of a newer program",
                 [](const std::string& p) {
                     auto made = sqlite::Connection::open(p, sqlite::Connection::Mode::read_write);
                     EXPECT_TRUE(made->run(sqlite::sql::insert_migration, std::int64_t{9999},
                                           std::string_view("9999_future"), std::string_view("0")));
                 },
                 ErrorCode::conflict},
         }) {
        const bool is_copy =
            wrong.name == std::string("cut") || wrong.name == std::string("of a newer program");
        if (is_copy) fs::copy_file(path("good.db"), path(wrong.name));
        wrong.make(path(wrong.name));
        const Status checked = sqlite::check_backup(path(wrong.name));
        ASSERT_FALSE(checked) << wrong.name;
        EXPECT_EQ(checked.error().code, wrong.code) << wrong.name << ": " << checked.error().detail;
        EXPECT_FALSE(sqlite::restore_backup(path(wrong.name), path("restored.db")));
        EXPECT_FALSE(fs::exists(path("restored.db")));
    }
}

}  // namespace
}  // namespace millrace
