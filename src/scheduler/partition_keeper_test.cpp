#include "scheduler/partition_keeper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/fake_clock.hpp"
#include "support/jobs.hpp"

namespace millrace {
namespace {

using std::chrono::sys_days;
using std::chrono::year;
using Table = PartitionedTable;

Id128 first_of(int y, unsigned m) {
    return first_id_at(sys_days{year{y} / static_cast<int>(m) / 1});
}

// Partitions that only exist by name.
class ListedUpkeep final : public Upkeep {
public:
    Result<std::vector<Partition>> partitions() override {
        if (is_down) return Error{ErrorCode::unavailable, "down"};
        return all;
    }
    Status create(const Partition& partition, const Lease& lease) override {
        if (is_locked) return Error{ErrorCode::unavailable, "locked"};
        leases.push_back(lease);
        all.push_back(partition);
        created.push_back(partition);
        return ok();
    }
    Result<bool> drop_unused(const Partition& partition, const Lease& lease) override {
        asked.push_back(partition.name);
        if (in_use.contains(partition.name)) return false;
        const Status status = drop(partition, lease);
        if (!status) return status.error();
        return true;
    }
    Status drop(const Partition& partition, const Lease& lease) override {
        if (is_locked) return Error{ErrorCode::unavailable, "locked"};
        leases.push_back(lease);
        std::erase(all, partition);
        dropped.push_back(partition.name);
        return ok();
    }

    std::vector<Partition> all{};
    std::vector<Partition> created{};
    std::vector<std::string> dropped{};
    std::vector<std::string> asked{};
    std::vector<Lease> leases{};
    std::set<std::string> in_use{};
    bool is_locked = false;
    bool is_down = false;
};

class PartitionKeeperTest : public testing::Test {
protected:
    void begin(std::string_view instances = "keep", std::string_view audit = "keep") {
        using Subject = RetentionRules::Subject;
        keeper_.emplace(
            upkeep_,
            PartitionKeeper::Rules{*RetentionRules::parse(instances, Subject::instances),
                                   *RetentionRules::parse(audit, Subject::audit)},
            DutyRight([this] { return lease_; }), clock_, metrics_, log_);
    }

    // Both tables from the beginning to the end of a month, and each month up to another one.
    void have_months(int from_year, unsigned from_month, int count) {
        using std::chrono::months;
        const auto month = year{from_year} / static_cast<int>(from_month);
        for (const Table table : {Table::history, Table::audit}) {
            const std::string name = table == Table::history ? "h" : "a";
            upkeep_.all.push_back(
                {table, {}, first_id_at(sys_days{(month + months{1}) / 1}), name});
            for (int n = 1; n < count; ++n) {
                upkeep_.all.push_back({table, first_id_at(sys_days{(month + months{n}) / 1}),
                                       first_id_at(sys_days{(month + months{n + 1}) / 1}),
                                       name + std::to_string(n)});
            }
        }
    }

    Round run_pass() {
        Round round;
        for (int n = 0; n < 100; ++n) {
            round = keeper_->run_once();
            if (round.unhealthy || *round.next_at > clock_.now()) return round;
        }
        ADD_FAILURE() << "the pass does not end";
        return round;
    }

    using Names = std::vector<std::string>;

    // Noon of the first of January 2030.
    FakeClock clock_{kNoon};
    ListedUpkeep upkeep_;
    std::optional<DutyLease> lease_{{.duty = "cluster", .fence = 7}};
    observe::Metrics metrics_;
    observe::Log log_{{.sink = [](std::string_view) {
    }}};
    std::optional<PartitionKeeper> keeper_;
};

TEST_F(PartitionKeeperTest, MakesThisMonthAndThreeAheadTheNearestFirst) {
    begin();
    EXPECT_EQ(run_pass().next_at, kNoon + 1h);
    ASSERT_EQ(upkeep_.created.size(), 8u);
    EXPECT_EQ(upkeep_.created[0],
              (Partition{Table::history, first_of(2030, 1), first_of(2030, 2)}));
    EXPECT_EQ(upkeep_.created[3],
              (Partition{Table::history, first_of(2030, 4), first_of(2030, 5)}));
    EXPECT_EQ(upkeep_.created[4], (Partition{Table::audit, first_of(2030, 1), first_of(2030, 2)}));
    EXPECT_EQ(upkeep_.leases.front(), lease_);
}

TEST_F(PartitionKeeperTest, MakesWhatIsMissingAsMonthsGoBy) {
    have_months(2029, 10, 7);  // To April 2030.
    begin();
    run_pass();
    EXPECT_TRUE(upkeep_.created.empty());
    clock_.advance(31 * 24h);
    run_pass();
    ASSERT_EQ(upkeep_.created.size(), 2u);
    EXPECT_EQ(upkeep_.created[0].first_id, first_of(2030, 5));
}

TEST_F(PartitionKeeperTest, WhereEverythingIsKeptNothingIsLookedAt) {
    have_months(2029, 10, 7);
    begin();
    run_pass();
    EXPECT_EQ(upkeep_.asked, Names{});
    EXPECT_EQ(upkeep_.dropped, Names{});
}

TEST_F(PartitionKeeperTest, DropsOldHistoryThatNoInstanceNeeds) {
    have_months(2029, 10, 7);  // h is October, h1 November, h2 December.
    clock_.advance(24h);
    upkeep_.in_use = {"h1"};
    begin("P1D");
    run_pass();
    EXPECT_EQ(upkeep_.asked, (Names{"h", "h1", "h2"}));
    EXPECT_EQ(upkeep_.dropped, (Names{"h", "h2"}));
}

TEST_F(PartitionKeeperTest, KeepsTheLastMonthForADay) {
    have_months(2029, 12, 5);
    begin("P1D");
    run_pass();
    EXPECT_EQ(upkeep_.asked, Names{});
    clock_.advance(12h);
    run_pass();
    EXPECT_EQ(upkeep_.asked, Names{"h"});
}

TEST_F(PartitionKeeperTest, DropsAuditAsItIsWhenAllRulesHaveExpired) {
    have_months(2029, 10, 7);
    upkeep_.in_use = {"a", "a1", "a2"};
    begin("keep", "P40D");  // a ended 61 days ago, a1 31.
    clock_.advance(24h);
    run_pass();
    EXPECT_EQ(upkeep_.dropped, (Names{"a"}));
    EXPECT_EQ(upkeep_.asked, (Names{"a1", "a2"}));
}

TEST_F(PartitionKeeperTest, OneWorkspaceThatKeepsItsAuditKeepsTheEntriesOfAll) {
    have_months(2029, 10, 7);
    upkeep_.in_use = {"a", "a1"};
    begin("keep", "P1D,acme=keep");
    clock_.advance(24h);
    run_pass();
    EXPECT_EQ(upkeep_.dropped, (Names{"a2"}));
}

TEST_F(PartitionKeeperTest, TriesAgainInAMinuteWhenSomebodyHasALock) {
    upkeep_.is_locked = true;
    begin();
    EXPECT_EQ(run_pass(), (Round{.next_at = kNoon + 1min}));
    EXPECT_TRUE(upkeep_.created.empty());
    upkeep_.is_locked = false;
    clock_.advance(1min);
    EXPECT_EQ(run_pass().next_at, kNoon + 1min + 1h);
    EXPECT_EQ(upkeep_.created.size(), 8u);
}

TEST_F(PartitionKeeperTest, SaysThatTheStoreDoesNotAnswer) {
    upkeep_.is_down = true;
    begin();
    EXPECT_TRUE(keeper_->run_once().unhealthy);
}

TEST_F(PartitionKeeperTest, ChangesNothingWithoutTheLease) {
    begin();
    lease_.reset();
    keeper_->run_once();
    EXPECT_TRUE(upkeep_.created.empty());
}

}  // namespace
}  // namespace millrace
