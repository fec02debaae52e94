#include "config/read_text_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/ordinary_user.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

TEST(ReadTextFile, ReadsAllOfIt) {
    const TemporaryFolder folder;
    const std::string path = folder.path() / "text";
    const std::string text = std::string(10'000, 'x') + '\0' + "\r\n";
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(*read_text_file(path), text);
    std::ofstream(path, std::ios::trunc).flush();
    EXPECT_EQ(*read_text_file(path), "");
}

TEST(ReadTextFile, SaysWhyItCannot) {
    const TemporaryFolder folder;
    EXPECT_EQ(read_text_file(folder.path()).error().detail, "is a directory");
    EXPECT_EQ(read_text_file(folder.path() / "none").error().detail,
              "cannot be read: No such file or directory");
    const std::string secret = folder.path() / "secret";
    std::ofstream(secret) << "x";
    std::filesystem::permissions(secret, std::filesystem::perms::none);
    const OrdinaryUser user(folder.path());
    if (!user.is_ordinary()) GTEST_SKIP() << "root cannot become somebody else here";
    EXPECT_EQ(read_text_file(secret).error().detail, "cannot be read: Permission denied");
}

}  // namespace
}  // namespace millrace
