#include "base/nearest_word.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(NearestWord, IsTheOneThatWasMeant) {
    struct Row {
        const char* given;
        const char* nearest;
    };
    const std::vector<std::string_view> words{"definitions", "instances", "tasks",   "dlq",
                                              "serve",       "FAILED",    "pageSize"};
    for (const Row& row :
         {Row{"Serve", "serve"}, Row{"srve", "serve"}, Row{"instance", "instances"},
          Row{"def", "definitions"}, Row{"defintions", "definitions"}, Row{"task", "tasks"},
          Row{"dql", "dlq"}, Row{"intsances", "instances"}, Row{"dlp", "dlq"}, Row{"frob", ""},
          Row{"", ""}, Row{"i", ""}, Row{"FAILD", "FAILED"}, Row{"failed", "FAILED"},
          Row{"pagesize", "pageSize"}}) {
        EXPECT_EQ(nearest_word(row.given, words), row.nearest) << row.given;
    }
    EXPECT_EQ(nearest_word("x", {}), "");
    EXPECT_EQ(nearest_word(std::string(1'000'000, 'x'), words), "");
}

TEST(NearestWord, OfAStrangerIsShownWithoutHarm) {
    EXPECT_EQ(shown_word("errorCode"), "errorCode");
    EXPECT_EQ(shown_word("a\r\nSet-Cookie: b\xC3\xA4\x7F"), "a??Set-Cookie: b???");
    EXPECT_EQ(shown_word(std::string(65, 'x')), std::string(64, 'x') + "...");
}

TEST(NearestWord, IsTold) {
    struct Row {
        const char* given;
        std::vector<std::string_view> words;
        const char* text;
    };
    for (const Row& row : {
             Row{"staus", {"page", "status"}, "There is no field `staus`; did you mean `status`?"},
             Row{"colour",
                 {"page", "status"},
                 "There is no field `colour`; there is `page`, `status`."},
             Row{"colour", {}, "There is no field `colour`; none is taken here."},
         }) {
        EXPECT_EQ(no_such_word("field", row.given, row.words), row.text);
    }
}

}  // namespace
}  // namespace millrace
