#include "store/sqlite/examine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "store/sqlite/sqlite_database.hpp"
#include "support/temporary_folder.hpp"

namespace millrace::sqlite {
namespace {

class ExamineTest : public testing::Test {
protected:
    const TemporaryFolder folder_;
    const std::string path_ = folder_.path() / "millrace.db";
};

TEST_F(ExamineTest, MakesNothingWhereNothingIs) {
    EXPECT_FALSE(examine(path_).is_there);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(ExamineTest, SeesAFileThatAServerHas) {
    SqliteDatabase database(path_);
    ASSERT_TRUE(database.migrate());
    const Facts facts = examine(path_);
    EXPECT_EQ(facts.holder, getpid());
    EXPECT_GT(facts.bytes, 0);
    EXPECT_GT(facts.bytes_free, 0);
    EXPECT_EQ(facts.damage, "");
    EXPECT_EQ(facts.unreadable, "");
    EXPECT_TRUE(check_migrations(facts.migrations));
    EXPECT_EQ(count_pending(facts.migrations), 0u);
    EXPECT_FALSE(facts.migrations.empty());
}

TEST_F(ExamineTest, SeesAFileThatNobodyHas) {
    { ASSERT_TRUE(SqliteDatabase(path_).migrate()); }
    EXPECT_EQ(examine(path_).holder, 0);
    EXPECT_EQ(count_pending(examine(path_).migrations), 0u);
}

TEST_F(ExamineTest, SeesThatAFileIsDamaged) {
    { ASSERT_TRUE(SqliteDatabase(path_).migrate()); }
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);  // Where a page says what it is.
    for (int i = 0; i < 100; ++i) file.put('\x5a');
    file.close();
    const Facts facts = examine(path_);
    EXPECT_FALSE(facts.damage.empty() && facts.unreadable.empty());
}

TEST_F(ExamineTest, SeesThatAFileIsNoDatabase) {
    std::ofstream(path_) << std::string(5000, 'x');
    EXPECT_NE(examine(path_).unreadable, "");
}

}  // namespace
}  // namespace millrace::sqlite
