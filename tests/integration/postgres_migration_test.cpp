#include <gtest/gtest.h>

#include <thread>

#include "store/postgres/migrate.hpp"
#include "store/postgres/postgres_database.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_server.hpp"

namespace millrace::postgres {
namespace {

class PostgresMigrationTest : public testing::Test {
protected:
    Status migrate_with(std::vector<sql::Migration> migrations) {
        Connection connection({.target = schema_.target()});
        return migrate(connection, migrations);
    }

    std::string names() {
        return PostgresSession(schema_.target()).run(std::string(sql::read_migrations.text));
    }

    const sql::Migration first_{1, "0001_first", "CREATE SEQUENCE first; CREATE SEQUENCE more;"};
    const sql::Migration second_{2, "0002_second", "CREATE SEQUENCE second;"};
    const sql::Migration broken_{2, "0002_second",
                                 "CREATE SEQUENCE second; CREATE SEQUENCE first;"};
    PostgresSchema schema_;
};

TEST_F(PostgresMigrationTest, EachIsAppliedOnce) {
    ASSERT_TRUE(migrate_with({first_}));
    EXPECT_EQ(names(), "1");
    ASSERT_TRUE(migrate_with({first_, second_}));
    EXPECT_EQ(names(), "1\n2");
    ASSERT_TRUE(migrate_with({first_, second_}));
}

TEST_F(PostgresMigrationTest, ASchemaNewerThanTheProgramIsAConflict) {
    ASSERT_TRUE(migrate_with({first_, second_}));
    EXPECT_EQ(code_of(migrate_with({first_})), ErrorCode::conflict);
}

TEST_F(PostgresMigrationTest, AMigrationThatHasChangedIsAConflict) {
    ASSERT_TRUE(migrate_with({first_, second_}));
    EXPECT_EQ(code_of(migrate_with({first_, broken_})), ErrorCode::conflict);
}

TEST_F(PostgresMigrationTest, OneThatFailsLeavesNothingBehindAndKeepsTheOthers) {
    EXPECT_EQ(code_of(migrate_with({first_, broken_})), ErrorCode::internal);
    EXPECT_EQ(names(), "1");
    EXPECT_TRUE(migrate_with({first_, second_}));
}

TEST_F(PostgresMigrationTest, ManyProgramsMayMigrateAtOnce) {
    std::vector<std::thread> programs;
    std::vector<char> is_done(6, 0);
    for (char& done : is_done) {
        programs.emplace_back([this, &done] {
            PostgresDatabase database({.target = schema_.target()});
            done = database.migrate() ? 1 : 0;
        });
    }
    for (std::thread& program : programs) program.join();
    EXPECT_EQ(is_done, std::vector<char>(6, 1));
}

}  // namespace
}  // namespace millrace::postgres
