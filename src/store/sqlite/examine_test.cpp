#include "store/sqlite/examine.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "store/sqlite/sqlite_database.hpp"
#include "store/sqlite/unclean_stop.hpp"
#include "support/ordinary_user.hpp"
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
    EXPECT_EQ(facts.hidden, "");
    EXPECT_EQ(facts.unwritable, "");
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
    EXPECT_TRUE(facts.damage != "" || !facts.unreadable.empty());
}

TEST_F(ExamineTest, SeesThatAFileIsNoDatabase) {
    std::ofstream(path_) << std::string(5000, 'x');
    EXPECT_NE(examine(path_).unreadable, "");
    EXPECT_EQ(examine(path_).damage, std::nullopt) << "nothing was read";
}

TEST_F(ExamineTest, SeesWhyItSeesNothing) {
    EXPECT_EQ(examine(folder_.path()).hidden, folder_.path().string() + " is a directory.");
    { ASSERT_TRUE(SqliteDatabase(path_).migrate()); }
    const OrdinaryUser user(folder_.path());
    if (!user.is_ordinary()) GTEST_SKIP() << "root cannot become somebody else here";
    std::filesystem::permissions(path_, std::filesystem::perms::owner_read);
    EXPECT_EQ(examine(path_).unwritable, "Permission denied");
    std::filesystem::permissions(path_, std::filesystem::perms::none);
    EXPECT_EQ(examine(path_).hidden, path_ + " cannot be read: Permission denied.");
}

TEST(FirstFinding, IsOneLineWithoutTheHeading) {
    struct Case {
        const char* findings;
        const char* first;
    };
    for (const auto& [findings, first] : {
             Case{"ok", ""},
             Case{"row 1 missing from index a", "row 1 missing from index a"},
             Case{"*** in database main ***\nPage 6: a\nPage 7: b", "Page 6: a"},
             Case{"*** in database main ***", ""},
         }) {
        EXPECT_EQ(first_finding(findings), first) << findings;
    }
}

}  // namespace
}  // namespace millrace::sqlite
