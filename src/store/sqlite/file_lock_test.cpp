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

TEST_F(FileLockTest, SaysWhenTheFolderIsNotThere) {
    FileLock lock;
    const Status status = lock.take(folder_.path() / "none" / "x.db");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace millrace::sqlite
