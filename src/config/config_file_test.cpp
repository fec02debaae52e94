#include "config/config_file.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(ConfigFile, FlattensMapsAndKeepsLines) {
    const auto entries = parse_config_text("a: 1\nb:\n  c: two words\n  d: \"3\"\ne: [x, y]\n");
    ASSERT_TRUE(entries);
    const std::vector<FileEntry> expected{{.key = "a", .value = "1", .line = 1},
                                          {.key = "b.c", .value = "two words", .line = 3},
                                          {.key = "b.d", .value = "3", .line = 4},
                                          {.key = "e", .line = 5, .is_list = true}};
    EXPECT_EQ(*entries, expected);
}

TEST(ConfigFile, LeavesOutWhatHasNoValue) {
    for (const char* text : {"", "# nothing\n", "a:\nb: \"\"\nc: ~\nd: {}\n"}) {
        const auto entries = parse_config_text(text);
        ASSERT_TRUE(entries) << text;
        EXPECT_TRUE(entries->empty()) << text;
    }
}

TEST(ConfigFile, NamesAKeyThatStandsTwice) {
    const auto entries = parse_config_text("a: 1\nb: {c: 1, c: 2}\na: 3\n");
    ASSERT_FALSE(entries);
    ASSERT_EQ(entries.error().details.size(), 2u);
    EXPECT_EQ(entries.error().details[0].path, "b.c");
    EXPECT_EQ(entries.error().details[1].message, "line 3: a: stands here twice");
}

TEST(ConfigFile, RefusesWhatLeadsNowhere) {
    EXPECT_FALSE(parse_config_text("a: &a {b: *a}\n"));
    EXPECT_FALSE(parse_config_text("a: {a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}}"));
    EXPECT_FALSE(parse_config_text("\xff\xfe: {"));
}

}  // namespace
}  // namespace millrace
