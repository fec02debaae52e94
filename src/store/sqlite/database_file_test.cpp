#include "store/sqlite/database_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/ordinary_user.hpp"
#include "support/temporary_folder.hpp"

namespace millrace::sqlite {
namespace {

namespace fs = std::filesystem;

TEST(BehindLinks, FollowsLinksOfTheFileAlone) {
    const TemporaryFolder temporary;
    const fs::path& folder = temporary.path();
    fs::create_directory(folder / "a");
    fs::create_directory_symlink("a", folder / "b");
    fs::create_symlink("x.db", folder / "a" / "near.db");
    fs::create_symlink(folder / "x.db", folder / "a" / "far.db");
    fs::create_symlink("near.db", folder / "a" / "twice.db");
    struct Case {
        const char* path;
        fs::path behind;
    };
    for (const auto& [path, behind] :
         {Case{"a/x.db", "a/x.db"}, Case{"a/near.db", "a/x.db"}, Case{"a/far.db", "x.db"},
          Case{"a/twice.db", "a/x.db"}, Case{"b/near.db", "b/x.db"}}) {
        EXPECT_EQ(behind_links(folder / path), folder / behind) << path;
    }
    EXPECT_EQ(behind_links("none.db"), "none.db");
}

TEST(MakePrivateFile, MakesAnEmptyOneForItsOwnerAlone) {
    const TemporaryFolder folder;
    const std::string path = folder.path() / "x.db";
    ASSERT_TRUE(make_private_file(path));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(fs::file_size(path), 0u);
    EXPECT_TRUE(make_private_file(path)) << "there is one";
}

TEST(MakePrivateFile, SaysWhyItCannot) {
    const TemporaryFolder folder;
    EXPECT_EQ(make_private_file(folder.path()).error().detail,
              folder.path().string() + " cannot be written: Is a directory.");
    const std::string path = folder.path() / "none" / "x.db";
    EXPECT_EQ(make_private_file(path).error().detail,
              path + " cannot be written: No such file or directory.");
}

TEST(CheckWritable, SaysWhyNot) {
    const TemporaryFolder folder;
    const std::string path = folder.path() / "x.db";
    EXPECT_EQ(check_writable(path).error().detail,
              path + " cannot be written: No such file or directory.");
    ASSERT_TRUE(make_private_file(path));
    EXPECT_TRUE(check_writable(path));
    const OrdinaryUser user(folder.path());
    if (!user.is_ordinary()) GTEST_SKIP() << "root cannot become somebody else here";
    fs::permissions(path, fs::perms::owner_read);
    EXPECT_EQ(check_writable(path).error().detail, path + " cannot be written: Permission denied.");
}

TEST(BehindLinks, EndsOnACircle) {
    const TemporaryFolder folder;
    fs::create_symlink("b", folder.path() / "a");
    fs::create_symlink("a", folder.path() / "b");
    EXPECT_FALSE(behind_links(folder.path() / "a").empty());
}

}  // namespace
}  // namespace millrace::sqlite
