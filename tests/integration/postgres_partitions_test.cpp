#include <gtest/gtest.h>

#include <algorithm>

#include "store/postgres/migrate.hpp"
#include "store/postgres/postgres_database.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_server.hpp"

namespace millrace::postgres {
namespace {

using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::year;

// The month of kNoon, long after all that a migration makes ahead.
constexpr std::chrono::year_month kJanuary = year{2030} / 1;

Partition month_of(PartitionedTable table, std::chrono::year_month month = kJanuary) {
    return {table, first_id_at(sys_days{month / 1}),
            first_id_at(sys_days{(month + months{1}) / 1})};
}

AuditEntry audit_entry(std::uint64_t n) {
    return {.key = {{instance_key(n).id.value}, kWorkspace}, .at = kNoon};
}

class PostgresPartitionsTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(database_.migrate()); }

    // A lease of a replica; the next one has a higher fence.
    DutyLease take_lease(std::uint64_t replica) {
        const auto cluster = database_.cluster();
        const auto lease = cluster->hold("cluster", Id128{1, replica}, 1us);
        EXPECT_TRUE(lease && *lease);
        return **lease;
    }

    Status put(const Writes& writes) { return write(*database_.batch_store(), writes); }

    // A line for each row.
    std::string rows_of(const std::string& table) { return session_.run("TABLE " + table); }

    std::optional<Partition> find(PartitionedTable table, Id128 id) {
        const auto all = upkeep_->partitions();
        EXPECT_TRUE(all);
        const auto found = std::ranges::find_if(*all, [&](const Partition& each) {
            return each.table == table && each.first_id <= id && id < each.end_id;
        });
        return found == all->end() ? std::nullopt : std::optional(*found);
    }

    Partition created(PartitionedTable table) {
        EXPECT_TRUE(upkeep_->create(month_of(table), std::nullopt));
        return find(table, instance_key(1).id.value).value();
    }

    PostgresSchema schema_;
    PostgresDatabase database_{{.target = schema_.target()}};
    PostgresSession session_{schema_.target()};
    std::unique_ptr<Upkeep> upkeep_ = database_.upkeep();
};

TEST_F(PostgresPartitionsTest, TheMigrationMakesThisMonthAndThreeAhead) {
    const auto all = upkeep_->partitions();
    ASSERT_TRUE(all) << all.error().detail;
    ASSERT_EQ(all->size(), 8u);
    for (const PartitionedTable table : {PartitionedTable::audit, PartitionedTable::history}) {
        std::vector<Partition> own = *all;
        std::erase_if(own, [&](const Partition& each) { return each.table != table; });
        ASSERT_EQ(own.size(), 4u);
        EXPECT_EQ(own[0].first_id, Id128{});
        for (std::size_t n = 1; n < own.size(); ++n) EXPECT_EQ(own[n].first_id, own[n - 1].end_id);
    }
    const Instant now = std::chrono::floor<Duration>(std::chrono::system_clock::now());
    const std::chrono::year_month_day today{std::chrono::floor<std::chrono::days>(now)};
    const auto next_month = today.year() / today.month() + months{1};
    EXPECT_EQ(all->front().end_id, first_id_at(sys_days{next_month / 1}));
}

TEST_F(PostgresPartitionsTest, IdsBeyondWaitInTheDefaultPartitionAndMoveToTheirOwn) {
    ASSERT_TRUE(put(
        {.step_executions = {closed_step(1), closed_step(2)}, .audit_entries = {audit_entry(1)}}));
    EXPECT_EQ(rows_of("step_execution_default"), "acme\nacme");
    EXPECT_EQ(created(PartitionedTable::history).name, "step_execution_203001");
    EXPECT_EQ(created(PartitionedTable::audit).name, "audit_entry_203001");
    EXPECT_EQ(rows_of("step_execution_203001"), "acme\nacme");
    EXPECT_EQ(rows_of("step_execution_default"), "");
    EXPECT_EQ(rows_of("audit_entry_203001"), "acme");

    const auto store = database_.batch_store();
    Footprint footprint{.step_executions = {closed_step(1).key}};
    const auto rows = store->load(footprint);
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->step_executions, std::vector{closed_step(1)});
    store->abandon();
    ASSERT_TRUE(put({.step_executions = {closed_step(3)}}));
    EXPECT_EQ(code_of(put({.step_executions = {closed_step(1)}})), ErrorCode::data_refused)
        << "the key holds across the move";
}

TEST_F(PostgresPartitionsTest, ANewPartitionHasTheIndexesOfItsTable) {
    created(PartitionedTable::audit);
    for (const char* index :
         {"audit_entry_203001_pkey", "audit_entry_203001_instance_id_workspace_id_id_idx"}) {
        EXPECT_EQ(session_.run("SELECT to_regclass('" + std::string(index) + "') IS NOT NULL"),
                  "t");
    }
}

TEST_F(PostgresPartitionsTest, HistoryStaysAsLongAsOneInstanceOfItsMonth) {
    Instance foreign = waiting_instance(2);
    foreign.key.workspace_id = {"zebra"};
    ASSERT_TRUE(put(
        {.instances_new = {waiting_instance(1), foreign}, .step_executions = {closed_step(1)}}));
    const Partition partition = created(PartitionedTable::history);
    EXPECT_EQ(*upkeep_->drop_unused(partition, std::nullopt), false) << "two instances are open";
    ASSERT_TRUE(put({.instances_removed = {instance_key(1)}}));
    EXPECT_EQ(*upkeep_->drop_unused(partition, std::nullopt), false) << "another workspace's is";
    ASSERT_TRUE(put({.instances_removed = {foreign.key}}));
    EXPECT_EQ(*upkeep_->drop_unused(partition, std::nullopt), true);
    EXPECT_EQ(find(PartitionedTable::history, instance_key(1).id.value), std::nullopt);
    EXPECT_TRUE(put({.step_executions = {closed_step(9)}})) << "there is still a place for it";
}

TEST_F(PostgresPartitionsTest, HistoryOfNoInstanceDoesNotKeepAPartition) {
    ASSERT_TRUE(put({.step_executions = {closed_step(1)}}));
    EXPECT_EQ(*upkeep_->drop_unused(created(PartitionedTable::history), std::nullopt), true);
    EXPECT_EQ(rows_of("step_execution"), "");
}

TEST_F(PostgresPartitionsTest, AnInstanceOfAnotherMonthDoesNotKeepAPartition) {
    Instance later = waiting_instance(1);
    later.key.id = {first_id_at(sys_days{(kJanuary + months{1}) / 1})};
    ASSERT_TRUE(put({.instances_new = {later}}));
    EXPECT_EQ(*upkeep_->drop_unused(created(PartitionedTable::history), std::nullopt), true);
}

TEST_F(PostgresPartitionsTest, AuditIsDroppedEmptyOrAsAWhole) {
    ASSERT_TRUE(put({.audit_entries = {audit_entry(1)}}));
    const Partition partition = created(PartitionedTable::audit);
    EXPECT_EQ(*upkeep_->drop_unused(partition, std::nullopt), false);
    ASSERT_TRUE(put({.audit_removed = {audit_entry(1).key}}));
    EXPECT_EQ(*upkeep_->drop_unused(partition, std::nullopt), true);

    ASSERT_TRUE(put({.audit_entries = {audit_entry(2)}}));
    EXPECT_TRUE(upkeep_->drop(created(PartitionedTable::audit), std::nullopt));
    EXPECT_EQ(rows_of("audit_entry"), "");
}

TEST_F(PostgresPartitionsTest, WaitsForNobodyWhoHasALockAndChangesNothingThen) {
    const Partition partition = created(PartitionedTable::history);
    PostgresSession foreign(schema_.target());
    foreign.run("BEGIN; TABLE step_execution; TABLE audit_entry");
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(code_of(upkeep_->drop_unused(partition, std::nullopt)), ErrorCode::unavailable);
    EXPECT_EQ(code_of(upkeep_->drop(partition, std::nullopt)), ErrorCode::unavailable);
    const Partition next = month_of(PartitionedTable::audit);
    EXPECT_EQ(code_of(upkeep_->create(next, std::nullopt)), ErrorCode::unavailable);
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds{30});
    EXPECT_TRUE(find(PartitionedTable::history, partition.first_id));
    EXPECT_EQ(session_.run("SELECT to_regclass('audit_entry_203001') IS NULL"), "t");

    foreign.run("COMMIT");
    EXPECT_TRUE(upkeep_->create(next, std::nullopt));
    EXPECT_EQ(*upkeep_->drop_unused(partition, std::nullopt), true);
}

TEST_F(PostgresPartitionsTest, ActsUnderTheLatestFenceAlone) {
    const DutyLease old = take_lease(1);
    const DutyLease latest = take_lease(2);
    ASSERT_GT(latest.fence, old.fence);
    const Partition partition = created(PartitionedTable::history);
    EXPECT_EQ(code_of(upkeep_->create(month_of(PartitionedTable::audit), old)),
              ErrorCode::data_refused);
    EXPECT_EQ(code_of(upkeep_->drop_unused(partition, old)), ErrorCode::data_refused);
    EXPECT_EQ(code_of(upkeep_->drop(partition, old)), ErrorCode::data_refused);
    EXPECT_TRUE(find(PartitionedTable::history, partition.first_id));
    EXPECT_TRUE(upkeep_->create(month_of(PartitionedTable::audit), latest));
    EXPECT_TRUE(upkeep_->drop(partition, latest));
}

// Rows of the version before, written while it was the latest.
class PostgresPartitionMigrationTest : public testing::Test {
protected:
    static constexpr std::size_t kBefore = 6;

    Status migrate_first(std::size_t count) {
        Connection connection({.target = schema_.target()});
        return migrate(connection, std::span(sql::kMigrations).first(count));
    }

    PostgresSchema schema_;
    PostgresDatabase database_{{.target = schema_.target()}};
};

TEST_F(PostgresPartitionMigrationTest, RowsOfBeforeAreFoundAfterIt) {
    ASSERT_TRUE(migrate_first(kBefore));
    StepExecution old = closed_step(1);
    old.key.id = {Id128::for_instance(Instant{std::chrono::hours{24}}, 1).with_sequence(1)};
    Instance instance = waiting_instance(1, {.row_id = 1, .id = "order"});
    instance.key.id = instance_of(old.key.id);
    Writes writes{.step_executions = {old, closed_step(2)}};
    AuditEntry entry = audit_entry(3);
    entry.key.id = {instance.key.id.value};
    entry.instance_id = instance.key.id;
    writes.audit_entries = {entry};
    const auto store = database_.batch_store();
    ASSERT_TRUE(write(*store, writes));

    const Status migrated = database_.migrate();
    ASSERT_TRUE(migrated) << migrated.error().detail;
    // Only now: they have columns that came later.
    const Instance other = waiting_instance(2, {.row_id = 1, .id = "order"});
    ASSERT_TRUE(write(*database_.batch_store(), {.instances_new = {instance, other}}));
    const auto reader = database_.reader();
    EXPECT_EQ((**reader->history(instance.key)).closed, std::vector{old});
    EXPECT_EQ((**reader->history(instance_key(2))).closed, std::vector{closed_step(2)});
    EXPECT_EQ(reader->audit({.workspace_id = kWorkspace}, {})->items, std::vector{entry});
    PostgresSession session(schema_.target());
    EXPECT_EQ(session.run("TABLE step_execution_first"), "acme");
    EXPECT_EQ(session.run("TABLE step_execution_default"), "acme") << "of a clock that was ahead";

    // The connection of a server that had prepared its statements before.
    EXPECT_TRUE(write(*store, {.step_executions = {closed_step(2, 7)}}));
    EXPECT_EQ((**reader->history(instance_key(2))).closed.size(), 2u);
}

TEST_F(PostgresPartitionMigrationTest, WaitsForThoseWhoUseTheTables) {
    ASSERT_TRUE(migrate_first(kBefore));
    // It is over when the server ends it, some time after the migration has met it.
    PostgresSession foreign(schema_.target());
    foreign.run("SET idle_in_transaction_session_timeout = '3s'; BEGIN; TABLE step_execution");
    const Status migrated = database_.migrate();
    EXPECT_TRUE(migrated) << migrated.error().detail;
}

}  // namespace
}  // namespace millrace::postgres
