#include "store/postgres/expected_indexes.hpp"

#include <gtest/gtest.h>

namespace millrace::postgres {
namespace {

TEST(ExpectedIndexes, AreThoseThatAreCreatedAndNotDropped) {
    const KnownMigration migrations[] = {
        {1, "one",
         "CREATE SEQUENCE s;\nCREATE UNIQUE INDEX a_b ON a (b);\n"
         "CREATE UNIQUE INDEX IF NOT EXISTS a_c\n    ON a (c);\n-- CREATE UNIQUE INDEX no ON a "
         "(b);\n"},
        {2, "two", "DROP INDEX a_b;\nCREATE UNIQUE INDEX z ON a (b);\n"},
    };
    EXPECT_EQ(expected_indexes(migrations), (std::vector<std::string>{"a_c", "z"}));
}

}  // namespace
}  // namespace millrace::postgres
