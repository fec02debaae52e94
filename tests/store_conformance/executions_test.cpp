// What stores keep of executions: the record until it is removed, the hot row while it is open.

#include "store_conformance/store_test.hpp"
#include "support/stored_executions.hpp"

namespace millrace {
namespace {

constexpr QueueStatus kAll[] = {QueueStatus::pending,    QueueStatus::claimed,
                                QueueStatus::dispatched, QueueStatus::completed,
                                QueueStatus::failed,     QueueStatus::cancelled};
const std::string kManyScripts = "Größe 日本語 🚀 ' \" \\ %_ \x01\x7F";
const std::string kTraceParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

Execution execution_with_everything(std::uint64_t n) {
    return {
        .key = execution_key(n),
        .definition = {.row_id = 1234567890123, .id = "order-ß", .version = 3},
        .queue_status = QueueStatus::claimed,
        .place = QueuePlace::active,
        .priority = 9,
        .rank_at = kNoon + 1us,
        .not_before = kNoon + 2us,
        .deadline = kNoon + 3us,
        .concurrency_key = kManyScripts,
        .requested_by = kManyScripts,
        .created_at = kNoon + 4us,
        .claimed_at = kNoon + 5us,
        .dispatched_at = kNoon + 6us,
        .started_at = kNoon + 7us,
        .completed_at = kNoon + 8us,
        .attempt_count = 1,
        .deferrals = 2,
        .recoveries = 3,
        .next_attempt_at = kNoon + 9us,
        .last_error = kManyScripts,
        .error_reason = "WORKFLOW_FAILED",
        .error_message = kManyScripts,
        .claim = {.token = 1234567890123, .owner = kManyScripts},
        .due_at = kNoon + 10us,
        .executor = ExecutorKind::temporal,
        .target = kManyScripts,
        .run_id = kManyScripts,
        .first_try_at = kNoon + 11us,
        .cancel_requested_at = kNoon + 12us,
        .is_forced = true,
        .is_resuming = true,
        .instance_id = instance_key(n + 1000).id,
        .retry_of = execution_key(n + 2000).id,
        .retried_by = execution_key(n + 3000).id,
        .dismissed_at = kNoon + 13us,
        .trace_parent = kTraceParent,
    };
}

class ExecutionConformance : public StoreTest {
protected:
    StoredExecution stored(std::uint64_t n) {
        const auto found = reader_->execution(execution_key(n).id);
        EXPECT_TRUE(found && *found);
        return found && *found ? **found : StoredExecution{};
    }

    QueueCounts counts() {
        const auto queue = reader_->queue(kWorkspace);
        EXPECT_TRUE(queue && *queue);
        return queue && *queue ? (*queue)->counts : QueueCounts{};
    }

    void expect_stored(const Execution& expected) {
        EXPECT_EQ(read(expected.key), expected);
        const auto read_back = reader_->execution(expected.key.id);
        ASSERT_TRUE(read_back && *read_back);
        EXPECT_EQ((*read_back)->execution, expected);
    }
};

TEST_P(ExecutionConformance, InstancesAreLoadedWithTheirExecutionsWhenAskedFor) {
    Writes writes;
    for (const std::uint64_t n : {1U, 2U, 3U}) {
        Instance instance = waiting_instance(n, {.row_id = 1, .id = "order"});
        // The second one is chained to an instance that is not asked for; the third has no queue.
        if (n < 3) instance.execution_id = execution_key(n * 10).id;
        writes.instances_new.push_back(std::move(instance));
    }
    for (const std::uint64_t n : {10U, 20U, 30U}) {
        writes.executions_new.push_back(enqueued(pending_execution(n)));
    }
    ASSERT_TRUE(write(writes));

    Footprint asked{.instances = {instance_key(1), instance_key(2), instance_key(3)}};
    EXPECT_TRUE(load(asked).executions.empty());
    asked.executions_of_instances = true;
    std::vector<ExecutionKey> found;
    for (const Execution& row : load(asked).executions) found.push_back(row.key);
    EXPECT_EQ(found, (std::vector{execution_key(10), execution_key(20)}));
}

TEST_P(ExecutionConformance, FindsNothingInAnEmptyDatabase) {
    EXPECT_EQ(read(execution_key(1)), std::nullopt);
    EXPECT_EQ(*reader_->execution(execution_key(1).id), std::nullopt);
}

TEST_P(ExecutionConformance, ReadsBackExecutions) {
    const NewExecution plain = enqueued(pending_execution(1));
    NewExecution full = enqueued(execution_with_everything(2));
    full.input = Variables::from_text(R"({"text":"Größe 日本語 🚀 \u0000","n":1.5})");
    ASSERT_TRUE(write({.executions_new = {plain, full}}));
    expect_stored(plain.execution);
    expect_stored(full.execution);
    EXPECT_EQ(stored(1), (StoredExecution{plain.execution, plain.input, ""}));
    EXPECT_EQ(stored(2), (StoredExecution{full.execution, full.input, ""}));

    const auto list = *reader_->executions({.workspace_id = kWorkspace}, {});
    EXPECT_EQ(list.items, (std::vector{full.execution, plain.execution}));
}

TEST_P(ExecutionConformance, ReadsBackChangesOfExecutions) {
    const Execution full = execution_with_everything(1);
    const NewExecution made = enqueued(full);
    ASSERT_TRUE(
        write({.executions_new = {made}, .execution_results = {{full.key, R"({"paid":true})"}}}));

    // What never changes once it is written stays.
    Execution emptied{
        .key = full.key,
        .definition = full.definition,
        .priority = full.priority,
        .rank_at = kNoon,
        .concurrency_key = full.concurrency_key,
        .requested_by = full.requested_by,
        .created_at = full.created_at,
        .executor = full.executor,
        .target = full.target,
        .retry_of = full.retry_of,
        .trace_parent = full.trace_parent,
    };
    ASSERT_TRUE(write({.executions_changed = {emptied}}));
    expect_stored(emptied);
    EXPECT_EQ(stored(1), (StoredExecution{emptied, made.input, R"({"paid":true})"}));

    ASSERT_TRUE(write({.executions_changed = {full}}));
    expect_stored(full);
}

TEST_P(ExecutionConformance, LeavesOutAChangeOfAnExecutionThatIsGone) {
    ASSERT_TRUE(write({.executions_changed = {pending_execution(1)},
                       .executions_ended = {{.key = execution_key(2)}},
                       .execution_results = {{execution_key(3), "{}"}},
                       .executions_removed = {execution_key(4)}}));
    for (std::uint64_t n = 1; n <= 4; ++n) EXPECT_EQ(read(execution_key(n)), std::nullopt);
}

TEST_P(ExecutionConformance, KeepsRowsOfOpenOnesAlone) {
    ASSERT_TRUE(
        write({.executions_new = {enqueued(pending_execution(1)), enqueued(claimed_execution(2)),
                                  enqueued(dispatched_execution(3)), enqueued(failed_execution(4))},
               .workspaces = {workspace_named(kWorkspace.value)}}));
    const QueueCounts expected{
        .ready = 1, .claimed = 1, .dispatched = 1, .oldest_waiting = kNoon + 1s};
    EXPECT_EQ(counts(), expected);

    const ExecutionEnd end{.key = execution_key(3), .at = kNoon + 1h};
    const Execution claimed = claimed_execution(1);
    const Execution over = failed(claimed_execution(2), failure::kStartFailed, "", kNoon + 1h);
    ASSERT_TRUE(write({.executions_changed = {claimed, over}, .executions_ended = {end}}));
    EXPECT_EQ(counts(), (QueueCounts{.claimed = 1}));

    const Execution again = *redriven(failed_execution(4), kNoon + 1h);
    EXPECT_EQ(code_of(redriven(dispatched_execution(3), kNoon)), ErrorCode::conflict);
    ASSERT_TRUE(write({.executions_changed = {again}, .executions_removed = {claimed.key}}));
    EXPECT_EQ(counts(), (QueueCounts{.ready = 1, .oldest_waiting = again.created_at}));
    EXPECT_EQ(read(claimed.key), std::nullopt);
    expect_stored(again);
}

// Goal: an end that is written without a look is the end that the core would have decided on.
// Method: every status of a row, every end.
TEST_P(ExecutionConformance, EndsAsTheCoreDoes) {
    const ExecutionEnd ends[] = {
        {.queue_status = QueueStatus::completed, .at = kNoon + 1h},
        {.queue_status = QueueStatus::completed,
         .at = kNoon + 1h,
         .instance_id = instance_key(99).id},
        {.queue_status = QueueStatus::failed,
         .reason = "WORKFLOW_FAILED",
         .message = kManyScripts,
         .at = kNoon + 1h},
        {.queue_status = QueueStatus::cancelled, .at = kNoon + 1us},
    };
    std::uint64_t n = 0;
    std::vector<Execution> expected;
    Writes rows;
    Writes writes;
    for (const QueueStatus status : kAll) {
        for (ExecutionEnd end : ends) {
            Execution row = execution_in(status, ++n);
            row.instance_id = instance_key(n).id;
            row.next_attempt_at = kNoon;
            end.key = row.key;
            rows.executions_new.push_back(enqueued(row));
            writes.executions_ended.push_back(end);
            expected.push_back(ended(row, end).value_or(row));
        }
    }
    ASSERT_TRUE(write(rows));
    ASSERT_TRUE(write(writes));
    for (const Execution& each : expected) {
        SCOPED_TRACE(to_string(each.key.id.value));
        expect_stored(each);
    }
}

TEST_P(ExecutionConformance, NotesWhichInstanceRunsWhileItIsOpen) {
    Writes rows;
    Writes writes;
    std::vector<Execution> expected;
    std::uint64_t n = 0;
    for (const QueueStatus status : kAll) {
        Execution row = execution_in(status, ++n);
        rows.executions_new.push_back(enqueued(row));
        writes.executions_moved.push_back({row.key, instance_key(n + 1000).id});
        if (is_open(status)) row.instance_id = instance_key(n + 1000).id;
        expected.push_back(row);
    }
    writes.executions_moved.push_back({execution_key(n + 1), instance_key(1).id});
    writes.executions_moved.push_back(
        {{execution_key(1).id, WorkspaceId{"other"}}, instance_key(1).id});
    ASSERT_TRUE(write(rows));
    ASSERT_TRUE(write(writes));
    for (const Execution& each : expected) {
        SCOPED_TRACE(to_string(each.key.id.value));
        expect_stored(each);
    }
}

TEST_P(ExecutionConformance, KeepsResults) {
    ASSERT_TRUE(write({.executions_new = {enqueued(pending_execution(1))}}));
    ASSERT_TRUE(write({.execution_results = {{execution_key(1), R"({"a":"日本語"})"}}}));
    EXPECT_EQ(stored(1).result, R"({"a":"日本語"})");
    EXPECT_EQ(stored(1).execution, pending_execution(1));
    ASSERT_TRUE(write({.execution_results = {{execution_key(1), "2"}}}));
    EXPECT_EQ(stored(1).result, "2");
}

TEST_P(ExecutionConformance, KeepsTheResultOfAnExecutionThatIsMadeInTheSameBatch) {
    ASSERT_TRUE(write({.executions_new = {enqueued(pending_execution(1))},
                       .execution_results = {{execution_key(1), "1"}}}));
    EXPECT_EQ(stored(1).result, "1");
}

TEST_P(ExecutionConformance, RemovesExecutions) {
    ASSERT_TRUE(
        write({.executions_new = {enqueued(pending_execution(1)), enqueued(failed_execution(2)),
                                  enqueued(pending_execution(3))},
               .workspaces = {workspace_named(kWorkspace.value)}}));
    ASSERT_TRUE(write({.executions_removed = {execution_key(1), execution_key(2)}}));
    EXPECT_EQ(read(execution_key(1)), std::nullopt);
    EXPECT_EQ(read(execution_key(2)), std::nullopt);
    expect_stored(pending_execution(3));
    EXPECT_EQ(counts().ready, 1);

    // Under its id there may be another one.
    ASSERT_TRUE(write({.executions_new = {enqueued(pending_execution(1))}}));
    expect_stored(pending_execution(1));
}

TEST_P(ExecutionConformance, RefusesAnExecutionThatExists) {
    ASSERT_TRUE(write({.executions_new = {enqueued(pending_execution(1))}}));
    const Status status =
        write({.executions_new = {enqueued(claimed_execution(1)), enqueued(pending_execution(2))}});
    EXPECT_EQ(code_of(status), ErrorCode::data_refused);
    expect_stored(pending_execution(1));
    EXPECT_EQ(read(execution_key(2)), std::nullopt);
}

TEST_P(ExecutionConformance, RefusesTextsThatNoStoreKeeps) {
    using Spoil = void (*)(NewExecution&, const std::string&);
    constexpr Spoil kSpoils[] = {
        [](NewExecution& row, const std::string& bad) { row.execution.definition.id = bad; },
        [](NewExecution& row, const std::string& bad) { row.execution.concurrency_key = bad; },
        [](NewExecution& row, const std::string& bad) { row.execution.requested_by = bad; },
        [](NewExecution& row, const std::string& bad) { row.execution.last_error = bad; },
        [](NewExecution& row, const std::string& bad) { row.execution.error_reason = bad; },
        [](NewExecution& row, const std::string& bad) { row.execution.error_message = bad; },
        [](NewExecution& row, const std::string& bad) { row.execution.claim.owner = bad; },
        [](NewExecution& row, const std::string& bad) { row.execution.target = bad; },
        [](NewExecution& row, const std::string& bad) { row.execution.run_id = bad; },
        [](NewExecution& row, const std::string& bad) { row.execution.trace_parent = bad; },
        [](NewExecution& row, const std::string& bad) { row.input = Variables::from_text(bad); },
    };
    for (const std::string& bad : {std::string("a\0b", 3), std::string("\xC3(")}) {
        for (const Spoil spoil : kSpoils) {
            NewExecution row = enqueued(pending_execution(1));
            spoil(row, bad);
            EXPECT_EQ(code_of(write({.executions_new = {row}})), ErrorCode::data_refused);
        }
        ASSERT_TRUE(write({.executions_new = {enqueued(pending_execution(2))}}));
        const ExecutionEnd end{.key = execution_key(2), .message = bad};
        EXPECT_EQ(code_of(write({.executions_ended = {end}})), ErrorCode::data_refused);
        EXPECT_EQ(code_of(write({.execution_results = {{execution_key(2), bad}}})),
                  ErrorCode::data_refused);
        ASSERT_TRUE(write({.executions_removed = {execution_key(2)}}));
    }
}

TEST_P(ExecutionConformance, KeepsWorkspacesApart) {
    const Execution here = pending_execution(1);
    const Execution there = moved_away(claimed_execution(1));
    ASSERT_TRUE(write({.executions_new = {enqueued(here), enqueued(there)}}));
    EXPECT_EQ(read(here.key), here);
    EXPECT_EQ(read(there.key), there);
    ASSERT_TRUE(write({.executions_ended = {{.key = here.key, .at = kNoon}}}));
    EXPECT_EQ(read(there.key), there);
    ASSERT_TRUE(write({.executions_removed = {here.key}}));
    EXPECT_EQ(read(there.key), there);
    EXPECT_EQ(reader_->executions({.workspace_id = kWorkspace}, {})->total, 0);
    EXPECT_EQ(reader_->executions({.workspace_id = kOtherWorkspace}, {})->total, 1);
}

TEST_P(ExecutionConformance, TakesBigBatches) {
    constexpr std::uint64_t kCount = 1'000;
    Writes writes;
    Footprint footprint;
    for (std::uint64_t n = 1; n <= kCount; ++n) {
        writes.executions_new.push_back(enqueued(pending_execution(n)));
        writes.execution_results.push_back({execution_key(n), std::to_string(n)});
        footprint.executions.push_back(execution_key(n));
    }
    ASSERT_TRUE(write(writes));
    std::vector<Execution> rows = load(footprint).executions;
    ASSERT_EQ(rows.size(), kCount);
    for (Execution& row : rows) row = claim(row, kReplica, std::nullopt, kNoon);
    ASSERT_TRUE(write({.executions_changed = rows}));
    EXPECT_EQ(load(footprint).executions, rows);

    Writes ends;
    for (const Execution& row : rows) {
        ends.executions_ended.push_back({.key = row.key, .at = kNoon});
    }
    ASSERT_TRUE(write(ends));
    EXPECT_EQ(
        reader_->executions({.workspace_id = kWorkspace, .statuses = {QueueStatus::completed}}, {})
            ->total,
        1'000);
}

TEST_P(ExecutionConformance, InstancesKnowTheirExecution) {
    Instance instance = waiting_instance(1);
    instance.execution_id = execution_key(7).id;
    ASSERT_TRUE(write({.instances_new = {instance, waiting_instance(2)}}));
    const auto expect_known = [&] {
        EXPECT_EQ(read(instance.key), instance);
        EXPECT_EQ(*reader_->instance(instance.key), instance);
        EXPECT_EQ((*reader_->history(instance.key))->instance, instance);
        for (const bool oldest_first : {false, true}) {
            auto items =
                reader_->instances({.workspace_id = kWorkspace, .oldest_first = oldest_first}, {})
                    ->items;
            if (!oldest_first) std::ranges::reverse(items);
            EXPECT_EQ(items, (std::vector{instance, waiting_instance(2)}));
        }
        EXPECT_EQ(
            reader_->instances({.workspace_id = kWorkspace, .definition_id = ""}, {})->items.back(),
            instance);
    };
    expect_known();
    instance.status = InstanceStatus::active;
    ASSERT_TRUE(write({.instances_changed = {instance}}));
    expect_known();
}

MILLRACE_FOR_ALL_STORES(ExecutionConformance);

}  // namespace
}  // namespace millrace
