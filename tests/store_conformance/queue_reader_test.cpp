// The definition of QueueReader, second part: how queues stand, and what somebody has to look at.

#include "store_conformance/store_test.hpp"
#include "support/stored_executions.hpp"

namespace millrace {
namespace {

Execution due_execution(std::uint64_t n, Instant due_at) {
    Execution execution = pending_execution(n);
    execution.place = QueuePlace::due;
    execution.due_at = due_at;
    return execution;
}

Execution parked_execution(std::uint64_t n, const std::string& key) {
    Execution execution = pending_execution(n);
    execution.place = QueuePlace::parked;
    execution.concurrency_key = key;
    return execution;
}

Execution with_deadline(Execution execution, Instant deadline) {
    execution.deadline = deadline;
    return execution;
}

class QueueReaderConformance : public StoreTest {
protected:
    using Keys = std::vector<ExecutionKey>;

    std::vector<std::string> busy(const std::string& after, std::int32_t count_max) {
        const auto queues = reader_->busy_queues({after}, count_max);
        EXPECT_TRUE(queues) << queues.error().detail;
        std::vector<std::string> ids;
        if (!queues) return ids;
        for (const QueueOverview& each : *queues) ids.push_back(each.workspace.id.value);
        return ids;
    }

    Keys holders(const std::string& concurrency_key, std::int32_t count_max = 100) {
        const auto found = reader_->slot_holders(kWorkspace, concurrency_key, count_max);
        EXPECT_TRUE(found) << found.error().detail;
        Keys keys;
        if (!found) return keys;
        for (const Execution& each : *found) keys.push_back(each.key);
        return keys;
    }
};

TEST_P(QueueReaderConformance, CountsWhereExecutionsStand) {
    ASSERT_TRUE(
        write({.executions_new = {enqueued(pending_execution(3)), enqueued(pending_execution(2)),
                                  enqueued(parked_execution(1, "k")),
                                  enqueued(due_execution(4, kNoon + 1h)),
                                  enqueued(due_execution(5, kNoon + 2h)),
                                  enqueued(due_execution(6, kNoon + 3h)),
                                  enqueued(claimed_execution(7)), enqueued(dispatched_execution(8)),
                                  enqueued(dispatched_execution(9)), enqueued(failed_execution(10)),
                                  enqueued(moved_away(pending_execution(11)))},
               .workspaces = {workspace_named("acme")},
               .lines = {{kWorkspace, {.virtual_time = 1.5}}}}));
    const auto queue = *reader_->queue(kWorkspace);
    ASSERT_TRUE(queue);
    EXPECT_EQ(queue->workspace, workspace_named("acme"));
    EXPECT_EQ(queue->line, (LineState{.virtual_time = 1.5}));
    EXPECT_EQ(queue->counts, (QueueCounts{.ready = 2,
                                          .parked = 1,
                                          .due = 3,
                                          .claimed = 1,
                                          .dispatched = 2,
                                          .oldest_waiting = kNoon + 2s}));
    EXPECT_EQ((*reader_->queue({kDefaultWorkspace}))->counts, QueueCounts{});
}

TEST_P(QueueReaderConformance, ListsQueuesWithOpenExecutions) {
    Execution due = due_execution(3, kNoon);
    due.key.workspace_id = {"c"};
    Execution parked = parked_execution(4, "k");
    parked.key.workspace_id = {"d"};
    Execution over = failed_execution(5);
    over.key.workspace_id = {"e"};
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(pending_execution(1, {"a"})),
                            enqueued(claimed_execution(2, {"b"})), enqueued(due), enqueued(parked),
                            enqueued(over), enqueued(pending_execution(6, {"unknown"}))},
         .workspaces = {workspace_named("a"), workspace_named("b"), workspace_named("c"),
                        workspace_named("d"), workspace_named("e"), workspace_named("f")}}));
    using Ids = std::vector<std::string>;
    EXPECT_EQ(busy("", 100), (Ids{"a", "b", "c", "d"}));
    EXPECT_EQ(busy("", 2), (Ids{"a", "b"}));
    EXPECT_EQ(busy("b", 2), (Ids{"c", "d"}));
    EXPECT_EQ(busy("d", 2), Ids{});
    const auto queues = *reader_->busy_queues({"a"}, 1);
    ASSERT_EQ(queues.size(), 1u);
    EXPECT_EQ(queues[0].workspace, workspace_named("b"));
    EXPECT_EQ(queues[0].counts, (QueueCounts{.claimed = 1}));
}

TEST_P(QueueReaderConformance, TellsWhoStandsBefore) {
    Execution first = pending_execution(3);
    first.rank_at = rank_at(first.created_at, kPriorityMax);
    Execution level = pending_execution(4);
    level.rank_at = pending_execution(2).rank_at;
    ASSERT_TRUE(
        write({.executions_new = {
                   enqueued(pending_execution(1)), enqueued(pending_execution(2)), enqueued(first),
                   enqueued(level), enqueued(parked_execution(0, "k")),
                   enqueued(claimed_execution(5)), enqueued(moved_away(pending_execution(6)))}}));
    const auto before = [&](const Execution& execution) {
        return *reader_->position(execution);
    };
    EXPECT_EQ(before(first), (QueuePosition{.before = 0}));
    EXPECT_EQ(before(pending_execution(1)), (QueuePosition{.before = 1}));
    EXPECT_EQ(before(pending_execution(2)), (QueuePosition{.before = 2}));
    EXPECT_EQ(before(level), (QueuePosition{.before = 3}));
    EXPECT_EQ(before(pending_execution(7)), (QueuePosition{.before = 4})) << "were it there";
}

TEST_P(QueueReaderConformance, TellsWhoHasTheSlots) {
    Execution keyed = dispatched_execution(2);
    keyed.concurrency_key = "k";
    Execution other_key = claimed_execution(4);
    other_key.concurrency_key = "l";
    ASSERT_TRUE(
        write({.executions_new = {enqueued(claimed_execution(3)), enqueued(keyed),
                                  enqueued(claimed_execution(1)), enqueued(other_key),
                                  enqueued(pending_execution(5)),
                                  enqueued(parked_execution(6, "k")), enqueued(failed_execution(7)),
                                  enqueued(moved_away(claimed_execution(8)))}}));
    EXPECT_EQ(holders(""),
              (Keys{execution_key(1), execution_key(2), execution_key(3), execution_key(4)}));
    EXPECT_EQ(holders("", 2), (Keys{execution_key(1), execution_key(2)}));
    EXPECT_EQ(holders("k"), Keys{execution_key(2)});
    EXPECT_EQ(holders("none"), Keys{});
    EXPECT_EQ(reader_->slot_holders(kWorkspace, "k", 1)->at(0), keyed);
}

TEST_P(QueueReaderConformance, FindsWhatIsDueOrTooLate) {
    EXPECT_EQ(*reader_->next_due_execution(), std::nullopt);
    EXPECT_EQ(*reader_->due_executions(kNoon + 24h, 100), Keys{});
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(due_execution(1, kNoon + 40min)),
                            enqueued(with_deadline(pending_execution(2), kNoon + 30min)),
                            enqueued(with_deadline(parked_execution(3, "k"), kNoon + 20min)),
                            // Too late before it is due, and after.
                            enqueued(with_deadline(due_execution(4, kNoon + 2h), kNoon + 10min)),
                            enqueued(with_deadline(due_execution(5, kNoon + 50min), kNoon + 1h)),
                            enqueued(pending_execution(6)),
                            // A slot is in time, whatever it waits for.
                            enqueued(with_deadline(claimed_execution(7), kNoon)),
                            enqueued(with_deadline(failed_execution(8), kNoon)),
                            enqueued(moved_away(due_execution(9, kNoon + 45min)))}}));
    const ExecutionKey elsewhere = moved_away(due_execution(9, kNoon)).key;
    struct Row {
        Instant now;
        std::int32_t count_max;
        Keys expected;
    };
    const Row rows[] = {
        {kNoon + 10min - 1us, 100, {}},
        {kNoon + 10min, 100, {execution_key(4)}},
        {kNoon + 35min, 100, {execution_key(4), execution_key(3), execution_key(2)}},
        {kNoon + 35min, 2, {execution_key(4), execution_key(3)}},
        {kNoon + 24h,
         100,
         {execution_key(4), execution_key(3), execution_key(2), execution_key(1), elsewhere,
          execution_key(5)}},
        {kNoon + 24h,
         5,
         {execution_key(4), execution_key(3), execution_key(2), execution_key(1), elsewhere}},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(*reader_->due_executions(row.now, row.count_max), row.expected);
    }
    EXPECT_EQ(*reader_->next_due_execution(), kNoon + 10min);
    ASSERT_TRUE(write({.executions_ended = {{.key = execution_key(4), .at = kNoon}}}));
    EXPECT_EQ(*reader_->next_due_execution(), kNoon + 20min);
    ASSERT_TRUE(write({.executions_removed = {execution_key(2), execution_key(3)}}));
    EXPECT_EQ(*reader_->next_due_execution(), kNoon + 40min);
}

TEST_P(QueueReaderConformance, FindsActiveOnesThatSomebodyHasToLookAt) {
    constexpr Unattended all = Unattended::claims_and_runs;
    EXPECT_EQ(*reader_->next_unattended_execution(all), std::nullopt);
    const auto looked_at = [](Execution execution, std::optional<Instant> due_at) {
        execution.due_at = due_at;
        return enqueued(execution);
    };
    ASSERT_TRUE(write(
        {.executions_new = {looked_at(claimed_execution(1), kNoon + 3s),
                            looked_at(dispatched_execution(2), kNoon + 1s),
                            looked_at(dispatched_execution(3), std::nullopt),
                            looked_at(moved_away(claimed_execution(4)), kNoon + 2s),
                            enqueued(due_execution(5, kNoon)), enqueued(failed_execution(6))}}));
    const ExecutionKey elsewhere = execution_key(4, kOtherWorkspace);
    EXPECT_EQ(*reader_->unattended_executions(all, kNoon, 100), Keys{});
    EXPECT_EQ(*reader_->unattended_executions(all, kNoon + 2s, 100),
              (Keys{execution_key(2), elsewhere}));
    EXPECT_EQ(*reader_->unattended_executions(all, kNoon + 24h, 100),
              (Keys{execution_key(2), elsewhere, execution_key(1)}));
    EXPECT_EQ(*reader_->unattended_executions(all, kNoon + 24h, 1), Keys{execution_key(2)});
    EXPECT_EQ(*reader_->next_unattended_execution(all), kNoon + 1s);
    EXPECT_EQ(*reader_->unattended_executions(Unattended::runs, kNoon + 24h, 100),
              Keys{execution_key(2)});
    EXPECT_EQ(*reader_->unattended_executions(Unattended::claims, kNoon + 24h, 100),
              (Keys{elsewhere, execution_key(1)}));
    EXPECT_EQ(*reader_->next_unattended_execution(Unattended::runs), kNoon + 1s);
    EXPECT_EQ(*reader_->next_unattended_execution(Unattended::claims), kNoon + 2s);
    ASSERT_TRUE(write({.executions_ended = {{.key = execution_key(2), .at = kNoon}}}));
    EXPECT_EQ(*reader_->next_unattended_execution(all), kNoon + 2s);
    EXPECT_EQ(*reader_->next_unattended_execution(Unattended::runs), std::nullopt);
}

TEST_P(QueueReaderConformance, FindsClaimsThatAreStale) {
    const auto claimed_at = [](Execution execution, Instant at) {
        execution.claimed_at = at;
        return enqueued(execution);
    };
    ASSERT_TRUE(write({.executions_new = {claimed_at(claimed_execution(1), kNoon + 3s),
                                          claimed_at(claimed_execution(2), kNoon + 1s),
                                          claimed_at(dispatched_execution(3), kNoon),
                                          claimed_at(moved_away(claimed_execution(4)), kNoon + 2s),
                                          claimed_at(failed_execution(5), kNoon),
                                          enqueued(pending_execution(6))}}));
    const ExecutionKey elsewhere = execution_key(4, kOtherWorkspace);
    EXPECT_EQ(*reader_->stale_claims(kNoon + 1s, 100), Keys{});
    EXPECT_EQ(*reader_->stale_claims(kNoon + 3s, 100), (Keys{execution_key(2), elsewhere}));
    EXPECT_EQ(*reader_->stale_claims(kNoon + 24h, 100),
              (Keys{execution_key(2), elsewhere, execution_key(1)}));
    EXPECT_EQ(*reader_->stale_claims(kNoon + 24h, 2), (Keys{execution_key(2), elsewhere}));
}

MILLRACE_FOR_ALL_STORES(QueueReaderConformance);

}  // namespace
}  // namespace millrace
