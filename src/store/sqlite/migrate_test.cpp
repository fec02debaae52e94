#include "store/sqlite/migrate.hpp"

#include <gtest/gtest.h>

#include "store_sqlite_sql.hpp"
#include "support/temporary_folder.hpp"

namespace millrace::sqlite {
namespace {

constexpr sql::Migration kFirst{1, "0001_first", "PRAGMA user_version = 1;"};
constexpr sql::Migration kSecond{2, "0002_second", "PRAGMA user_version = 2;"};
constexpr sql::Migration kSecondChanged{2, "0002_second", "PRAGMA user_version = 3;"};
constexpr sql::Migration kBroken{3, "0003_broken", "PRAGMA user_version = 4; NONSENSE;"};

class Migrate : public testing::Test {
protected:
    Status run(std::vector<sql::Migration> migrations) { return migrate(connection_, migrations); }

    std::vector<std::string> applied() {
        std::vector<std::string> names;
        const auto add = [&](const Row& row) {
            names.emplace_back(row.text(1));
            return ok();
        };
        EXPECT_TRUE(connection_.for_each(sql::read_migrations, add));
        return names;
    }

    TemporaryFolder folder_;
    Connection connection_ =
        std::move(*Connection::open(folder_.path() / "test.db", Connection::Mode::read_write));
};

TEST_F(Migrate, AppliesWhatIsMissingInOrder) {
    ASSERT_TRUE(run({kFirst}));
    EXPECT_EQ(applied(), std::vector<std::string>{"0001_first"});
    ASSERT_TRUE(run({kFirst, kSecond}));
    EXPECT_EQ(applied(), (std::vector<std::string>{"0001_first", "0002_second"}));
}

TEST_F(Migrate, HasNothingToDoTheSecondTime) {
    const std::vector<sql::Migration> all(sql::kMigrations.begin(), sql::kMigrations.end());
    ASSERT_TRUE(run(all));
    EXPECT_TRUE(run(all));
    EXPECT_EQ(applied().size(), all.size());
}

TEST_F(Migrate, RefusesAFileOfANewerProgram) {
    ASSERT_TRUE(run({kFirst, kSecond}));
    const Status status = run({kFirst});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::conflict);
}

TEST_F(Migrate, RefusesAMigrationThatHasChanged) {
    ASSERT_TRUE(run({kFirst, kSecond}));
    const Status status = run({kFirst, kSecondChanged});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::conflict);
}

TEST_F(Migrate, LeavesNothingOfAMigrationThatFails) {
    ASSERT_FALSE(run({kFirst, kSecond, kBroken}));
    EXPECT_EQ(applied(), (std::vector<std::string>{"0001_first", "0002_second"}));
    EXPECT_TRUE(run({kFirst, kSecond}));
}

TEST_F(Migrate, MakesEveryStatementPreparable) {
    ASSERT_TRUE(run({sql::kMigrations.begin(), sql::kMigrations.end()}));
    for (const sql::Statement& statement : sql::kStatements) {
        const Result<sqlite3_stmt*> prepared = connection_.prepare(statement);
        EXPECT_TRUE(prepared) << statement.name;
        EXPECT_EQ(&sql::kStatements.at(statement.index), &statement);
    }
}

}  // namespace
}  // namespace millrace::sqlite
