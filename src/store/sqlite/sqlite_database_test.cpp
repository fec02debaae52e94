#include "store/sqlite/sqlite_database.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/fake_clock.hpp"
#include "support/instances.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

class SqliteDatabaseTest : public testing::Test {
protected:
    static Status write(Database& database, const Writes& writes) {
        const std::unique_ptr<BatchStore> store = database.batch_store();
        const Result<LoadedRows> rows = store->load({});
        return rows ? store->apply(writes) : Status(rows.error());
    }

    TemporaryFolder folder_;
    std::string path_ = folder_.path() / "made" / "by" / "migrate.db";
};

TEST_F(SqliteDatabaseTest, TellsItsSize) {
    SqliteDatabase database(path_);
    const std::unique_ptr<StatisticsReader> reader = database.statistics_reader();
    EXPECT_FALSE(reader->read()) << "there is no file yet";
    ASSERT_TRUE(database.migrate());
    const Result<StoreStatistics> statistics = reader->read();
    ASSERT_TRUE(statistics);
    EXPECT_GE(statistics->bytes, static_cast<std::int64_t>(std::filesystem::file_size(path_)));
    EXPECT_TRUE(statistics->tables.empty());
}

TEST_F(SqliteDatabaseTest, KeepsWhatWasWritten) {
    {
        SqliteDatabase database(path_);
        ASSERT_TRUE(database.migrate());
        ASSERT_TRUE(write(database,
                          {.instances_new = {waiting_instance(1)}, .jobs_new = {unlocked_job(1)}}));
    }
    SqliteDatabase database(path_);
    ASSERT_TRUE(database.migrate());
    EXPECT_EQ(*database.reader()->instance(instance_key(1)), waiting_instance(1));

    ASSERT_TRUE(write(database, {.jobs_new = {unlocked_job(2)}}));
    const std::unique_ptr<Reader> reader = database.reader();
    EXPECT_GT((*reader->job(job_key(2)))->seq, (*reader->job(job_key(1)))->seq);
}

TEST_F(SqliteDatabaseTest, MakesItsFolderForItsOwnerAlone) {
    namespace fs = std::filesystem;
    SqliteDatabase database(path_);
    ASSERT_TRUE(database.migrate());
    EXPECT_EQ(fs::status(fs::path(path_).parent_path()).permissions(), fs::perms::owner_all);
}

TEST_F(SqliteDatabaseTest, MakesItsFilesForTheirOwnerAlone) {
    namespace fs = std::filesystem;
    fs::create_directories(fs::path(path_).parent_path());
    fs::permissions(fs::path(path_).parent_path(), fs::perms(0755));
    SqliteDatabase database(path_);
    ASSERT_TRUE(database.migrate());
    ASSERT_TRUE(write(database, {.jobs_new = {unlocked_job(1)}}));
    for (const char* suffix : {"", "-wal", "-shm", ".lock"}) {
        EXPECT_EQ(fs::status(path_ + suffix).permissions(), fs::perms(0600)) << suffix;
    }
}

// Goal: a lease token never names two claims, even when the machine fails and forgets one.
// Method: a copy of the files of a running server is what a power failure leaves.
TEST_F(SqliteDatabaseTest, StepsOverLeaseTokensThatAFailureOfTheMachineMayHaveLost) {
    SqliteDatabase running(path_);
    ASSERT_TRUE(running.migrate());
    ASSERT_TRUE(write(running, {.jobs_new = {unlocked_job(1), locked_job(2)}}));
    const std::string copy = folder_.path() / "copy.db";
    for (const char* suffix : {"", "-wal"})
        std::filesystem::copy_file(path_ + suffix, copy + suffix);

    SqliteDatabase recovered(copy);
    ASSERT_TRUE(recovered.migrate());
    const std::unique_ptr<Reader> reader = recovered.reader();
    EXPECT_EQ((*reader->job(job_key(1)))->lease_token, 1);
    EXPECT_EQ((*reader->job(job_key(2)))->lease_token, 1) << "a claim that was kept stays";
}

TEST_F(SqliteDatabaseTest, KeepsLeaseTokensOverACleanStop) {
    {
        SqliteDatabase database(path_);
        ASSERT_TRUE(database.migrate());
        ASSERT_TRUE(write(database, {.jobs_new = {unlocked_job(1)}}));
    }
    SqliteDatabase database(path_);
    ASSERT_TRUE(database.migrate());
    EXPECT_EQ((*database.reader()->job(job_key(1)))->lease_token, 0);
}

TEST_F(SqliteDatabaseTest, IsForOneProcess) {
    SqliteDatabase first(path_);
    ASSERT_TRUE(first.migrate());
    SqliteDatabase second(path_);
    const Status status = second.migrate();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::conflict);
}

// Goal: what a stop left is found however the file is named.
TEST_F(SqliteDatabaseTest, KeepsItsLogBesideTheFileThatALinkLeadsTo) {
    const std::string link = folder_.path() / "link.db";
    std::filesystem::create_symlink(path_, link);
    SqliteDatabase linked(link);
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
    ASSERT_TRUE(linked.migrate());
    ASSERT_TRUE(write(linked, {.jobs_new = {unlocked_job(1)}}));
    EXPECT_TRUE(std::filesystem::exists(path_ + "-wal"));
    EXPECT_FALSE(std::filesystem::exists(link + "-wal"));
    SqliteDatabase second(path_);
    EXPECT_EQ(second.migrate().error().code, ErrorCode::conflict);
}

// Goal: an operator finds the reason, whoever met it; callers get a sentence of ours.
TEST_F(SqliteDatabaseTest, TellsWhatKeepsItFromReadingAndWriting) {
    std::vector<std::string> troubles;
    const auto note = [&](std::string_view trouble) {
        troubles.emplace_back(trouble);
    };
    SqliteDatabase database(path_, {.on_trouble = note});
    ASSERT_TRUE(database.migrate());
    ASSERT_TRUE(write(database, {.instances_new = {waiting_instance(1)}}));
    EXPECT_FALSE(write(database, {.instances_new = {waiting_instance(1)}}))
        << "who asks is to blame";
    EXPECT_TRUE(troubles.empty());

    std::filesystem::rename(path_, path_ + ".away");
    std::filesystem::create_directory(path_);
    const auto read = database.reader()->instance(instance_key(1));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::unavailable);
    EXPECT_EQ(troubles, std::vector{read.error().detail});
    EXPECT_FALSE(database.lock_table("shedlock")->lock("a", "b", std::chrono::seconds(1)));
    EXPECT_EQ(troubles.size(), 2u);
}

class SqliteCheckTest : public SqliteDatabaseTest {
protected:
    // What a process leaves that is killed now: the files of a running server.
    std::string killed_copy(SqliteDatabase& running) {
        EXPECT_TRUE(write(running, {.jobs_new = {unlocked_job(1)}}));
        const std::string copy = folder_.path() / "copy.db";
        for (const char* suffix : {"", "-wal"}) {
            std::filesystem::copy_file(path_ + suffix, copy + suffix);
        }
        return copy;
    }

    std::vector<std::string> lines_;
    observe::Log log_{{.format = observe::LogFormat::text, .sink = [this](std::string_view line) {
                           lines_.emplace_back(line);
                       }}};
    FakeClock clock_{Instant{}};
    SqliteObserver observer_{.log = &log_, .clock = &clock_};
};

TEST_F(SqliteCheckTest, ChecksTheFileAfterAStopThatWasNotClean) {
    SqliteDatabase running(path_, observer_);
    ASSERT_TRUE(running.migrate());
    EXPECT_EQ(lines_.size(), 0u);
    const std::string copy = killed_copy(running);
    SqliteDatabase recovered(copy, observer_);
    ASSERT_TRUE(recovered.migrate());
    ASSERT_EQ(lines_.size(), 2u);
    EXPECT_NE(lines_[0].find("was not a clean one"), std::string::npos);
    EXPECT_NE(lines_[1].find("The database is sound.  milliseconds=0"), std::string::npos);
}

TEST_F(SqliteCheckTest, RefusesADamagedFileAndSaysTheWayOut) {
    {
        SqliteDatabase database(path_);
        ASSERT_TRUE(database.migrate());
    }
    SqliteDatabase running(path_);
    ASSERT_TRUE(running.migrate());
    const std::string copy = killed_copy(running);
    std::fstream file(copy, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(8 * 4096);  // Behind the schema.
    file << std::string(8 * 4096, '\x5a');
    file.close();

    SqliteDatabase recovered(copy, observer_);
    const Status status = recovered.migrate();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::internal);
    EXPECT_NE(status.error().detail.find("millrace restore"), std::string::npos)
        << status.error().detail;
}

TEST_F(SqliteDatabaseTest, IsFreeAgainWhenItsProcessIsGone) {
    { ASSERT_TRUE(SqliteDatabase(path_).migrate()); }
    EXPECT_TRUE(SqliteDatabase(path_).migrate());
}

TEST_F(SqliteDatabaseTest, SaysWhenItsFolderCannotBeMade) {
    std::ofstream(folder_.path() / "made") << "a file in the way";
    const Status status = SqliteDatabase(path_).migrate();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::unavailable);
}

TEST_F(SqliteDatabaseTest, RefusesAFileThatIsNoDatabase) {
    std::ofstream(folder_.path() / "text.db") << std::string(4096, 'x');
    const Status status = SqliteDatabase(folder_.path() / "text.db").migrate();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::internal);
}

TEST_F(SqliteDatabaseTest, RefusesACorruptRowAndNothingElse) {
    SqliteDatabase database(path_);
    ASSERT_TRUE(database.migrate());
    Job corrupt = locked_job(1);
    corrupt.lease.reset();
    ASSERT_TRUE(write(database, {.jobs_new = {corrupt, locked_job(2)}}));

    const std::unique_ptr<Reader> reader = database.reader();
    const auto job = reader->job(job_key(1));
    ASSERT_FALSE(job);
    EXPECT_EQ(job.error().code, ErrorCode::internal);
    EXPECT_EQ(*reader->job(job_key(2)), locked_job(2));

    const std::unique_ptr<BatchStore> store = database.batch_store();
    const Result<LoadedRows> rows = store->load({.jobs = {job_key(1), job_key(2)}});
    ASSERT_TRUE(rows);
    store->abandon();
    EXPECT_EQ(rows->unreadable.jobs, std::vector{job_key(1)});
    EXPECT_EQ(rows->jobs, std::vector{locked_job(2)});
    EXPECT_TRUE(write(database, {.jobs_removed = {job_key(1)}}));
}

TEST_F(SqliteDatabaseTest, IsUnavailableWhileItsFileIsGone) {
    SqliteDatabase database(path_);
    const std::unique_ptr<Reader> reader = database.reader();
    const auto early = reader->instance(instance_key(1));
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, ErrorCode::unavailable);
    ASSERT_TRUE(database.migrate());
    EXPECT_EQ(*reader->instance(instance_key(1)), std::nullopt);
}

}  // namespace
}  // namespace millrace
