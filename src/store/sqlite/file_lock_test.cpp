#include "store/sqlite/file_lock.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace millrace::sqlite {
namespace {

class FileLockTest : public testing::Test {
protected:
    TemporaryFolder folder_;
    std::string path_ = folder_.path() / "x.db";
};

TEST_F(FileLockTest, NamesItsHolder) {
    FileLock first;
    ASSERT_TRUE(first.take(path_));
    EXPECT_TRUE(first.take(path_));
    FileLock second;
    const Status status = second.take(path_);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::conflict);
    EXPECT_EQ(status.error().detail,
              path_ + " is in use by process " + std::to_string(getpid()) + ".");
}

TEST_F(FileLockTest, SaysSoWhenItsHolderIsNotKnown) {
    FileLock first;
    ASSERT_TRUE(first.take(path_));
    std::ofstream(path_ + ".lock", std::ios::trunc) << "";
    FileLock second;
    EXPECT_EQ(second.take(path_).error().detail, path_ + " is in use by another process.");
}

TEST_F(FileLockTest, TakesTheNameOfTheNextHolder) {
    std::ofstream(path_ + ".lock") << "99999999999\n";
    FileLock lock;
    ASSERT_TRUE(lock.take(path_));
    FileLock second;
    EXPECT_NE(second.take(path_).error().detail.find(std::to_string(getpid()) + "."),
              std::string::npos);
}

// Each is another way to the same file, while a process has it by its own name.
TEST_F(FileLockTest, CannotBeGotAround) {
    namespace fs = std::filesystem;
    FileLock first;
    ASSERT_TRUE(first.take(path_));
    const fs::path folder = folder_.path() / "other";
    fs::create_directory(folder);
    fs::create_symlink(path_, folder / "absolute.db");
    fs::create_symlink("../x.db", folder / "relative.db");
    fs::create_symlink("relative.db", folder / "twice.db");
    fs::create_hard_link(path_, folder / "hard.db");
    fs::create_directory_symlink(folder_.path(), folder / "folder");
    for (const char* name :
         {"absolute.db", "relative.db", "twice.db", "hard.db", "folder/x.db", "../x.db"}) {
        FileLock second;
        const Status status = second.take(folder / name);
        ASSERT_FALSE(status) << name;
        EXPECT_EQ(status.error().code, ErrorCode::conflict) << name;
        EXPECT_NE(FileLock::holder_of(folder / name), 0) << name;
    }
    EXPECT_FALSE(fs::exists(folder / "absolute.db.lock")) << "the lock is beside the file itself";
}

TEST_F(FileLockTest, HoldsWhenTheFileBesideItIsRemoved) {
    FileLock first;
    ASSERT_TRUE(first.take(path_));
    std::filesystem::remove(path_ + ".lock");
    FileLock second;
    EXPECT_EQ(second.take(path_).error().detail, path_ + " is in use by another process.");
    EXPECT_EQ(FileLock::holder_of(path_), -1);
}

TEST_F(FileLockTest, LocksWhatALinkToNothingWillLeadTo) {
    std::filesystem::create_symlink(path_, folder_.path() / "link.db");
    FileLock first;
    ASSERT_TRUE(first.take(folder_.path() / "link.db"));
    FileLock second;
    EXPECT_EQ(second.take(path_).error().code, ErrorCode::conflict);
}

TEST_F(FileLockTest, IsFreeAgainWhenItsHolderIsGone) {
    { ASSERT_TRUE(FileLock().take(path_)); }
    EXPECT_EQ(FileLock::holder_of(path_), 0);
    EXPECT_TRUE(FileLock().take(path_));
}

TEST_F(FileLockTest, RefusesWhatIsNoFileAndLeavesNothingBesideIt) {
    const std::string folder = folder_.path() / "folder";
    std::filesystem::create_directory(folder);
    FileLock lock;
    EXPECT_EQ(lock.take(folder).error().detail, folder + " is a directory.");
    EXPECT_FALSE(std::filesystem::exists(folder + ".lock"));
}

TEST_F(FileLockTest, SaysWhenTheFolderIsNotThere) {
    FileLock lock;
    const Status status = lock.take(folder_.path() / "none" / "x.db");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace millrace::sqlite
