#include "store/sqlite/database_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

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

TEST(BehindLinks, EndsOnACircle) {
    const TemporaryFolder folder;
    fs::create_symlink("b", folder.path() / "a");
    fs::create_symlink("a", folder.path() / "b");
    EXPECT_FALSE(behind_links(folder.path() / "a").empty());
}

}  // namespace
}  // namespace millrace::sqlite
