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
        {"UPDATE shedlock SET x", "app.locks", "UPDATE app.locks SET x"},
        {"shedlock, shedlock", "shedlock_2", "shedlock_2, shedlock_2"},
        {"DELETE FROM shedlock", "shedlock", "DELETE FROM shedlock"},
        {"SELECT 1", "locks", "SELECT 1"},
        {"", "locks", ""},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(with_lock_table(each.statement, each.table), each.expected);
    }
}

}  // namespace
}  // namespace millrace
