// The definition of Reader.

#include "core/limits.hpp"
#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

class ReaderConformance : public StoreTest {
protected:
    std::vector<std::string> definition_ids(const std::string& keyword, Page page = {}) {
        const auto listing = reader_->definitions({kWorkspace, keyword}, page);
        EXPECT_TRUE(listing);
        std::vector<std::string> ids;
        for (const DefinitionSummary& item : listing->items) ids.push_back(item.id);
        return ids;
    }

    // Numbers of instances whose keys instance_key() made.
    std::vector<std::uint64_t> instance_numbers(const InstanceFilter& filter, Page page = {}) {
        const auto listing = reader_->instances(filter, page);
        EXPECT_TRUE(listing);
        std::vector<std::uint64_t> numbers;
        for (const Instance& item : listing->items) {
            for (std::uint64_t n = 0; n < 100; ++n) {
                if (instance_key(n).id == item.key.id) numbers.push_back(n);
            }
        }
        return numbers;
    }
};

using Numbers = std::vector<std::uint64_t>;
using Ids = std::vector<std::string>;

DefinitionRecord named(std::string id, std::string name, std::int32_t version = 1) {
    DefinitionRecord record = definition_record(std::move(id), version);
    record.name = std::move(name);
    return record;
}

TEST_P(ReaderConformance, ReadsADefinitionOrItsLatestVersion) {
    const DefinitionRecord first = definition_record("order", 1);
    const DefinitionRecord tenth = named("order", "Größe 日本語", 10);
    ASSERT_TRUE(write({.definitions = {first, definition_record("order", 9), tenth}}));
    EXPECT_EQ(*reader_->definition(kWorkspace, "order", 1), first);
    EXPECT_EQ(*reader_->definition(kWorkspace, "order", 0), tenth);
    EXPECT_EQ(*reader_->definition(kWorkspace, "order", 2), std::nullopt);
    EXPECT_EQ(*reader_->definition(kWorkspace, "none", 0), std::nullopt);
    EXPECT_EQ(*reader_->definition(kOtherWorkspace, "order", 0), std::nullopt);
}

TEST_P(ReaderConformance, ListsTheHighestVersionOfEachDefinitionById) {
    DefinitionRecord foreign = definition_record("foreign");
    foreign.workspace_id = kOtherWorkspace;
    ASSERT_TRUE(write({.definitions = {named("b", "B"), named("b", "B two", 2), named("a", "A"),
                                       named("Z", "Zed"), foreign}}));
    const auto listing = reader_->definitions({kWorkspace, ""}, {});
    ASSERT_TRUE(listing);
    const std::vector<DefinitionSummary> expected{
        {"Z", 1, "Zed", kNoon}, {"a", 1, "A", kNoon}, {"b", 2, "B two", kNoon}};
    EXPECT_EQ(listing->items, expected);
    EXPECT_EQ(listing->total, 3);
    EXPECT_FALSE(listing->total_capped);
}

TEST_P(ReaderConformance, PagesDefinitions) {
    ASSERT_TRUE(write({.definitions = {named("a", ""), named("b", ""), named("c", "")}}));
    EXPECT_EQ(definition_ids("", {0, 2}), (Ids{"a", "b"}));
    EXPECT_EQ(definition_ids("", {1, 2}), Ids{"c"});
    EXPECT_EQ(definition_ids("", {2, 2}), Ids{});
    EXPECT_EQ(reader_->definitions({kWorkspace, ""}, {2, 2})->total, 3);
}

TEST_P(ReaderConformance, FindsDefinitionsByPartOfIdOrNameWithoutWildcards) {
    ASSERT_TRUE(write({.definitions = {named("order", "Bestellung"), named("ship_it", "100% fast"),
                                       named("shipXit", "Äpfel"), named("old", "match"),
                                       named("old", "renamed", 2)}}));
    EXPECT_EQ(definition_ids("DER"), Ids{"order"});
    EXPECT_EQ(definition_ids("bestell"), Ids{"order"});
    EXPECT_EQ(definition_ids("p_i"), Ids{"ship_it"});
    EXPECT_EQ(definition_ids("0%"), Ids{"ship_it"});
    EXPECT_EQ(definition_ids("Äpf"), Ids{"shipXit"});
    EXPECT_EQ(definition_ids("\\"), Ids{});
    EXPECT_EQ(definition_ids("match"), Ids{});
    EXPECT_EQ(reader_->definitions({kWorkspace, "SHIP"}, {0, 1})->total, 2);
}

TEST_P(ReaderConformance, ReadsAnInstance) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1)}}));
    EXPECT_EQ(*reader_->instance(instance_key(1)), waiting_instance(1));
    EXPECT_EQ(*reader_->instance(instance_key(2)), std::nullopt);
    EXPECT_EQ(*reader_->instance(moved_away(waiting_instance(1)).key), std::nullopt);
}

TEST_P(ReaderConformance, ListsInstancesNewestFirst) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1), waiting_instance(2),
                                         waiting_instance(3), moved_away(waiting_instance(4))}}));
    EXPECT_EQ(instance_numbers({kWorkspace}), (Numbers{3, 2, 1}));
    EXPECT_EQ(instance_numbers({kWorkspace}, {0, 2}), (Numbers{3, 2}));
    EXPECT_EQ(instance_numbers({kWorkspace}, {1, 2}), Numbers{1});
    EXPECT_EQ(reader_->instances({kWorkspace}, {1, 2})->total, 3);
    EXPECT_EQ(reader_->instances({kWorkspace}, {})->items.at(0), waiting_instance(3));
}

TEST_P(ReaderConformance, FiltersInstances) {
    const auto make = [](std::uint64_t n, const char* definition, InstanceStatus status,
                         const char* business_key) {
        Instance instance = waiting_instance(n, {1, definition, 1});
        instance.status = status;
        instance.business_key = business_key;
        return instance;
    };
    using enum InstanceStatus;
    ASSERT_TRUE(write(
        {.instances_new = {make(1, "a", waiting, "k"), make(2, "a", failed, ""),
                           make(3, "b", waiting, "k"), make(4, "b", failed, "l"),
                           moved_away(make(5, "a", waiting, "k")), make(6, "a", waiting, "")}}));
    struct Row {
        InstanceFilter filter;
        Numbers expected;
    };
    const Row rows[] = {
        {{.workspace_id = kWorkspace}, {6, 4, 3, 2, 1}},
        {{.workspace_id = kWorkspace, .definition_id = "a"}, {6, 2, 1}},
        {{.workspace_id = kWorkspace, .definition_id = "none"}, {}},
        {{.workspace_id = kWorkspace, .status = waiting}, {6, 3, 1}},
        {{.workspace_id = kWorkspace, .status = cancelled}, {}},
        {{.workspace_id = kWorkspace, .business_key = "k"}, {3, 1}},
        {{.workspace_id = kWorkspace, .business_key = ""}, {}},
        {{.workspace_id = kWorkspace, .definition_id = "a", .status = waiting}, {6, 1}},
        {{.workspace_id = kWorkspace, .definition_id = "b", .business_key = "k"}, {3}},
        {{.workspace_id = kWorkspace, .status = failed, .business_key = "l"}, {4}},
        {{.workspace_id = kWorkspace, .definition_id = "a", .status = failed, .business_key = "k"},
         {}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(&row - rows);
        EXPECT_EQ(instance_numbers(row.filter), row.expected);
        EXPECT_EQ(reader_->instances(row.filter, {})->total, std::ssize(row.expected));
    }
}

TEST_P(ReaderConformance, CountsExactlyUpToALimit) {
    const auto add = [&](std::int64_t from, std::int64_t to) {
        Writes writes;
        for (std::int64_t n = from; n < to; ++n) {
            writes.instances_new.push_back(waiting_instance(static_cast<std::uint64_t>(n)));
        }
        return write(writes);
    };
    ASSERT_TRUE(add(0, limits::kTotalExactMax));
    EXPECT_EQ(reader_->instances({kWorkspace}, {0, 1})->total, limits::kTotalExactMax);
    EXPECT_FALSE(reader_->instances({kWorkspace}, {0, 1})->total_capped);

    ASSERT_TRUE(add(limits::kTotalExactMax, limits::kTotalExactMax + 1));
    EXPECT_EQ(reader_->instances({kWorkspace}, {0, 1})->total, limits::kTotalExactMax);
    EXPECT_TRUE(reader_->instances({kWorkspace}, {0, 1})->total_capped);
}

TEST_P(ReaderConformance, ReadsTheHistoryOfAnInstanceInOrder) {
    constexpr std::uint32_t kLast = 0xFFFF'FFFF;
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1), waiting_instance(2)},
                       .step_executions = {closed_step(0, kLast), closed_step(1, 1),
                                           closed_step(1, 5), closed_step(1, kLast),
                                           closed_step(2, 1), moved_away(closed_step(1, 3))}}));
    const auto history = *reader_->history(instance_key(1));
    ASSERT_TRUE(history);
    EXPECT_EQ(history->instance, waiting_instance(1));
    EXPECT_EQ(history->closed,
              (std::vector{closed_step(1, 1), closed_step(1, 5), closed_step(1, kLast)}));
    EXPECT_FALSE(*reader_->history(instance_key(0)));
    EXPECT_FALSE(*reader_->history(moved_away(waiting_instance(1)).key));
}

TEST_P(ReaderConformance, ReadsOpenJobs) {
    ASSERT_TRUE(write({.jobs_new = {locked_job(1)}}));
    EXPECT_EQ(*reader_->job(job_key(1)), locked_job(1));
    EXPECT_EQ(*reader_->job(moved_away(locked_job(1)).key), std::nullopt);
    ASSERT_TRUE(write({.jobs_removed = {job_key(1)}}));
    EXPECT_EQ(*reader_->job(job_key(1)), std::nullopt);
}

TEST_P(ReaderConformance, ListsDueTimersTheLongestOverdueFirst) {
    EXPECT_EQ(*reader_->next_timer(), std::nullopt);
    const Timer foreign = moved_away(Timer{timer_key(2), kNoon - 2s});
    ASSERT_TRUE(write({.timers_new = {{timer_key(1), kNoon},
                                      foreign,
                                      {timer_key(3), kNoon - 1s},
                                      {timer_key(4), kNoon + 1us}}}));
    EXPECT_EQ(*reader_->due_timers(kNoon, 9),
              (std::vector{foreign.key, timer_key(3), timer_key(1)}));
    EXPECT_EQ(*reader_->due_timers(kNoon, 2), (std::vector{foreign.key, timer_key(3)}));
    EXPECT_EQ(*reader_->due_timers(kNoon - 3s, 9), std::vector<TimerKey>{});
    EXPECT_EQ(*reader_->next_timer(), kNoon - 2s);
}

TEST_P(ReaderConformance, ListsExpiredLeasesTheLongestOverdueFirst) {
    EXPECT_EQ(*reader_->next_lease_expiry(), std::nullopt);
    const auto leased_until = [](std::uint64_t n, Instant until) {
        Job job = locked_job(n);
        job.lease->lock_expires_at = until;
        return job;
    };
    const Job foreign = moved_away(leased_until(2, kNoon - 2s));
    ASSERT_TRUE(write({.jobs_new = {leased_until(1, kNoon), foreign, leased_until(3, kNoon - 1s),
                                    leased_until(4, kNoon + 1us), unlocked_job(5)}}));
    EXPECT_EQ(*reader_->expired_leases(kNoon, 9),
              (std::vector{foreign.key, job_key(3), job_key(1)}));
    EXPECT_EQ(*reader_->expired_leases(kNoon, 2), (std::vector{foreign.key, job_key(3)}));
    EXPECT_EQ(*reader_->expired_leases(kNoon - 3s, 9), std::vector<JobKey>{});
    EXPECT_EQ(*reader_->next_lease_expiry(), kNoon - 2s);
}

MILLRACE_FOR_ALL_STORES(ReaderConformance);

}  // namespace
}  // namespace millrace
