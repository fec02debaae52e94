#include "store/lock_table.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(LockTableTest, EveryMentionOfTheTableIsReplaced) {
    struct Case {
        std::string_view statement;
        std::string_view table;
        std::string_view expected;
    };
    const Case cases[] = {
        {"TABLE shedlock;", "app.locks", "TABLE app.locks;"},
        {"shedlock, shedlock", "shedlock_2", "shedlock_2, shedlock_2"},
        {"TABLE shedlock", "shedlock", "TABLE shedlock"},
        {"TABLE job", "locks", "TABLE job"},
        {"", "locks", ""},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(with_lock_table(each.statement, each.table), each.expected);
    }
}

}  // namespace
}  // namespace millrace
