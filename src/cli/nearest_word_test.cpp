#include "cli/nearest_word.hpp"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

struct Row {
    const char* given;
    const char* nearest;
};

TEST(NearestWord, IsTheOneThatWasMeant) {
    const std::vector<std::string> words{"definitions", "instances", "tasks", "dlq", "serve"};
    for (const Row& row :
         {Row{"Serve", "serve"}, Row{"srve", "serve"}, Row{"instance", "instances"},
          Row{"def", "definitions"}, Row{"defintions", "definitions"}, Row{"task", "tasks"},
          Row{"dql", ""}, Row{"dlp", "dlq"}, Row{"frob", ""}, Row{"", ""}, Row{"i", ""}}) {
        EXPECT_EQ(nearest_word(row.given, words), row.nearest) << row.given;
    }
    EXPECT_EQ(nearest_word("x", {}), "");
}

}  // namespace
}  // namespace millrace::cli
