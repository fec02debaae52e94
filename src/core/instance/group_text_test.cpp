#include <gtest/gtest.h>

#include "core/instance/state_text.hpp"

namespace millrace {
namespace {

using Groups = std::vector<std::string>;

TEST(GroupText, PutsEveryGroupBetweenLineEnds) {
    struct Row {
        Groups groups;
        std::string text;
    };
    const Row rows[] = {
        {{}, ""},
        {{"clerks"}, "\nclerks\n"},
        {{"clerks", "all"}, "\nclerks\nall\n"},
        {{"a", "a"}, "\na\na\n"},
        {{"two words", "Größe"}, "\ntwo words\nGröße\n"},
        {{""}, "\n\n"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(group_text(row.groups), row.text);
        EXPECT_EQ(parse_group_text(row.text), row.groups) << row.text;
    }
}

// A group is looked for with its line ends, so none is found inside another.
TEST(GroupText, IsFoundAsAWholeOnly) {
    const std::string stored = group_text({"clerks", "night clerks"});
    EXPECT_NE(stored.find(group_text({"clerks"})), std::string::npos);
    EXPECT_NE(stored.find(group_text({"night clerks"})), std::string::npos);
    EXPECT_EQ(stored.find(group_text({"clerk"})), std::string::npos);
    EXPECT_EQ(stored.find(group_text({"night"})), std::string::npos);
}

}  // namespace
}  // namespace millrace
