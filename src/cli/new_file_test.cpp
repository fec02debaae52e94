#include "cli/new_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/temporary_folder.hpp"

namespace millrace::cli {
namespace {

class NewFileTest : public testing::Test {
protected:
    std::string content() const {
        std::ifstream in(path_);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    TemporaryFolder folder_;
    std::string path_ = folder_.path() / "x";
};

TEST_F(NewFileTest, HasItsNameWhenItIsWhole) {
    std::ofstream(path_) << "old";
    NewFile file(path_);
    EXPECT_TRUE(file.write("a"));
    EXPECT_TRUE(file.write("b"));
    EXPECT_EQ(content(), "old");
    ASSERT_TRUE(file.finish());
    ASSERT_TRUE(file.put_in_place());
    EXPECT_EQ(content(), "ab");
    EXPECT_FALSE(std::filesystem::exists(file.part()));
}

TEST_F(NewFileTest, LeavesNothingBehindWhenItIsNotWanted) {
    {
        NewFile file(path_);
        EXPECT_TRUE(file.write("a"));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(NewFileTest, LeavesAloneWhatItHasNotMade) {
    std::ofstream(path_ + ".part") << "of somebody else";
    { NewFile file(path_); }
    EXPECT_TRUE(std::filesystem::exists(path_ + ".part"));
}

TEST_F(NewFileTest, SaysWhyItCannotBeMade) {
    NewFile file(folder_.path() / "none" / "x");
    EXPECT_FALSE(file.write("a"));
    const Status status = file.finish();
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().detail.find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace millrace::cli
