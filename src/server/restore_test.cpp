#include "server/restore.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <filesystem>

#include "server/backup.hpp"
#include "store/sqlite/sqlite_database.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

class RestoreTest : public testing::Test {
protected:
    void SetUp() override {
        { ASSERT_TRUE(SqliteDatabase(database_path(folder_.path() / "data")).migrate()); }
        ASSERT_TRUE(back_up_data(folder_.path() / "data", backup_));
    }

    const TemporaryFolder folder_;
    const std::string backup_ = folder_.path() / "backup.db";
};

TEST_F(RestoreTest, MakesADirectoryForItsOwnerAlone) {
    const fs::path directory = folder_.path() / "restored";
    ASSERT_TRUE(restore_data(backup_, directory));
    EXPECT_EQ(fs::status(directory).permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::status(database_path(directory)).permissions(), fs::perms(0600));
    EXPECT_EQ(restore_data(backup_, directory).error().code, ErrorCode::conflict);
}

// Goal: what fails leaves nothing behind. Method: the directory has a name that is just short
// enough, and its file has one that is too long.
TEST_F(RestoreTest, LeavesNoEmptyDirectoryBehind) {
    constexpr std::size_t kLevel = 200;
    fs::path directory = folder_.path();
    while (directory.native().size() + kLevel < PATH_MAX - 10)
        directory /= std::string(kLevel, 'd');
    directory /= std::string(PATH_MAX - 10 - directory.native().size(), 'e');
    ASSERT_FALSE(restore_data(backup_, directory));
    EXPECT_TRUE(fs::exists(directory.parent_path()));
    EXPECT_FALSE(fs::exists(directory));
}

}  // namespace
}  // namespace millrace
