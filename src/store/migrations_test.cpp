#include "store/migrations.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

constexpr KnownMigration kFirst{1, "0001_first", "first"};
constexpr KnownMigration kSecond{2, "0002_second", "second"};

AppliedMigration stored(const KnownMigration& migration) {
    return {migration.version, std::string(migration.name), migration_checksum(migration.text),
            Instant(Duration(5))};
}

std::vector<MigrationState> states(std::vector<AppliedMigration> in_store,
                                   std::vector<KnownMigration> known) {
    std::vector<MigrationState> found;
    for (const MigrationStatus& each : compare_migrations(in_store, known)) {
        found.push_back(each.state);
    }
    return found;
}

using States = std::vector<MigrationState>;
using enum MigrationState;

TEST(Migrations, TellsWhatBecameOfEach) {
    const KnownMigration edited{2, "0002_second", "another"};
    EXPECT_EQ(states({}, {kFirst, kSecond}), (States{pending, pending}));
    EXPECT_EQ(states({stored(kFirst)}, {kFirst, kSecond}), (States{applied, pending}));
    EXPECT_EQ(states({stored(kFirst), stored(edited)}, {kFirst, kSecond}),
              (States{applied, changed}));
    EXPECT_EQ(states({stored(kFirst), stored(kSecond)}, {kFirst}), (States{applied, unknown}));
}

TEST(Migrations, ANewerSchemaIsRefusedWithBothVersions) {
    const std::vector<AppliedMigration> in_store{stored(kFirst), stored(kSecond)};
    const Status status =
        check_migrations(compare_migrations(in_store, std::vector<KnownMigration>{kFirst}));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::conflict);
    EXPECT_NE(status.error().detail.find("0001_first"), std::string::npos);
    EXPECT_NE(status.error().detail.find("0002_second"), std::string::npos);
}

TEST(Migrations, PendingOnesAreNoObstacle) {
    const auto compared = compare_migrations({}, std::vector<KnownMigration>{kFirst, kSecond});
    EXPECT_TRUE(check_migrations(compared));
    EXPECT_EQ(count_pending(compared), 2u);
}

}  // namespace
}  // namespace millrace
