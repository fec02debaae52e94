// Items whose concurrency key is full stand aside, and come back when it has room.

#include "store_conformance/admission_test.hpp"

namespace millrace {
namespace {

class ParkingConformance : public AdmissionTest {
protected:
    QueuePlace place(std::uint64_t n, const WorkspaceId& workspace = kWorkspace) {
        const std::optional<Execution> found = read(execution_key(n, workspace));
        EXPECT_TRUE(found);
        return found ? found->place : QueuePlace::active;
    }
};

// Goal: what would be parked by the next admission is parked at once, and nothing else.
// Method: execution 1 is parked under key k of acme; each row writes one more.
TEST_P(ParkingConformance, WhatIsReadyStandsBehindOthersOfItsKeyThatAreParked) {
    struct Row {
        const char* name;
        WorkspaceId workspace;
        std::string key;
        QueuePlace written;
        QueuePlace expected;
    };
    const Row rows[] = {
        {"ready", kWorkspace, "k", QueuePlace::ready, QueuePlace::parked},
        {"of another key", kWorkspace, "l", QueuePlace::ready, QueuePlace::ready},
        {"of a key that begins alike", kWorkspace, "k2", QueuePlace::ready, QueuePlace::ready},
        {"without a key", kWorkspace, "", QueuePlace::ready, QueuePlace::ready},
        {"of another workspace", kOtherWorkspace, "k", QueuePlace::ready, QueuePlace::ready},
        {"due later", kWorkspace, "k", QueuePlace::due, QueuePlace::due},
        {"parked", kWorkspace, "k", QueuePlace::parked, QueuePlace::parked},
    };
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(with_key(pending_execution(1), "k", QueuePlace::parked))}}));
    std::uint64_t n = 1;
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        // As new, and as a change of one that was due.
        const std::uint64_t made = ++n;
        const std::uint64_t changed = ++n;
        Execution execution =
            with_key(pending_execution(made, row.workspace), row.key, row.written);
        if (row.written == QueuePlace::due) execution.due_at = kNoon;
        ASSERT_TRUE(write({.executions_new = {enqueued(execution)}}));
        EXPECT_EQ(place(made, row.workspace), row.expected);

        execution.key = execution_key(changed, row.workspace);
        Execution before = execution;
        before.place = QueuePlace::due;
        before.due_at = kNoon;
        ASSERT_TRUE(write({.executions_new = {enqueued(before)}}));
        ASSERT_TRUE(write({.executions_changed = {execution}}));
        EXPECT_EQ(place(changed, row.workspace), row.expected);
        ASSERT_TRUE(write({.executions_removed = {execution_key(made, row.workspace),
                                                  execution_key(changed, row.workspace)}}));
    }
}

TEST_P(ParkingConformance, OneThatHasASlotOfItsKeyKeepsIt) {
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(with_key(pending_execution(1), "k", QueuePlace::parked))}}));
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(with_key(claimed_execution(2), "k", QueuePlace::active))}}));
    EXPECT_EQ(place(2), QueuePlace::active);
}

// What was parked with it is over: nobody is there to stand behind.
TEST_P(ParkingConformance, AnItemDoesNotStandBehindItself) {
    const Execution parked = with_key(pending_execution(1), "k", QueuePlace::parked);
    Execution over = with_key(pending_execution(2), "k", QueuePlace::parked);
    over = failed(over, failure::kDeadlineExceeded, "", kNoon);
    ASSERT_TRUE(write({.executions_new = {enqueued(parked), enqueued(over)}}));
    ASSERT_TRUE(write({.executions_changed = {with_key(parked, "k", QueuePlace::ready)}}));
    EXPECT_EQ(place(1), QueuePlace::ready);
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(with_key(pending_execution(3), "k", QueuePlace::ready))}}));
    EXPECT_EQ(place(3), QueuePlace::ready);
}

TEST_P(ParkingConformance, CallsAsManyAsTheKeyHasRoomFor) {
    struct Row {
        const char* name;
        std::optional<std::int32_t> of_workspace;
        std::int32_t of_request;
        std::uint64_t active;
        std::uint64_t parked;
        std::int64_t called;
    };
    const Row rows[] = {
        {"one of many", std::nullopt, 1, 0, 3, 1},
        {"none, it is full", std::nullopt, 1, 1, 3, 0},
        {"none, it is more than full", std::nullopt, 1, 4, 3, 0},
        {"two of many", std::nullopt, 3, 1, 3, 2},
        {"all there are", std::nullopt, 10, 1, 3, 3},
        {"none is there", std::nullopt, 10, 1, 0, 0},
        {"as the workspace says", 2, 10, 0, 3, 2},
        {"more, as the workspace says", 3, 1, 1, 3, 2},
        {"none, as the workspace says", 0, 5, 0, 3, 0},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        Writes writes = competing(kWorkspace);
        writes.workspaces[0].max_per_key = row.of_workspace;
        std::uint64_t n = 0;
        for (std::uint64_t i = 0; i < row.active; ++i) {
            writes.executions_new.push_back(
                enqueued(with_key(claimed_execution(++n), "k", QueuePlace::active)));
        }
        const std::uint64_t first_parked = n + 1;
        for (std::uint64_t i = 0; i < row.parked; ++i) {
            writes.executions_new.push_back(
                enqueued(with_key(pending_execution(++n), "k", QueuePlace::parked)));
        }
        // None of these is meant.
        writes.executions_new.push_back(
            enqueued(with_key(pending_execution(++n), "l", QueuePlace::parked)));
        writes.executions_new.push_back(
            enqueued(with_key(pending_execution(++n, kOtherWorkspace), "k", QueuePlace::parked)));
        ASSERT_TRUE(write(writes));

        const AdmissionRequest request =
            asking({.woken_keys = {{kWorkspace, "k"}}, .max_per_key = row.of_request});
        std::vector<ExecutionKey> expected;
        for (std::int64_t i = 0; i < row.called; ++i) {
            expected.push_back(execution_key(first_parked + static_cast<std::uint64_t>(i)));
        }
        const auto lines = move(request).lines;
        ASSERT_EQ(lines.size(), 1u);
        EXPECT_EQ(keys(lines[0]), expected);
        EXPECT_EQ(lines[0].ready_count, row.called);
        const QueueCounts counts = (*reader_->queue(kWorkspace))->counts;
        EXPECT_EQ(counts.ready, row.called);
        EXPECT_EQ(counts.parked, static_cast<std::int64_t>(row.parked) - row.called + 1);

        Writes removal;
        for (const NewExecution& each : writes.executions_new) {
            removal.executions_removed.push_back(each.execution.key);
        }
        ASSERT_TRUE(write(removal));
    }
}

TEST_P(ParkingConformance, CallsTheFirstInLineFirst) {
    Writes writes = competing(kWorkspace);
    for (const std::uint64_t n : {1u, 2u, 3u}) {
        Execution parked = with_key(pending_execution(n), "k", QueuePlace::parked);
        parked.rank_at = kNoon - static_cast<std::int64_t>(n) * 1us;
        writes.executions_new.push_back(enqueued(parked));
    }
    ASSERT_TRUE(write(writes));
    const auto lines = look(asking({.woken_keys = {{kWorkspace, "k"}}, .max_per_key = 2})).lines;
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(keys(lines[0]), (std::vector{execution_key(3), execution_key(2)}));
}

TEST_P(ParkingConformance, CallsForSeveralKeysAtOnce) {
    Writes writes = competing(kWorkspace);
    const char* parked_under[] = {"a", "a", "b", "c"};
    std::uint64_t n = 0;
    for (const char* key : parked_under) {
        writes.executions_new.push_back(
            enqueued(with_key(pending_execution(++n), key, QueuePlace::parked)));
    }
    ASSERT_TRUE(write(writes));
    const auto lines = look(asking({.woken_keys = {{kWorkspace, "a"},
                                                   {kWorkspace, "a"},
                                                   {kWorkspace, "b"},
                                                   {kWorkspace, "unknown"},
                                                   {{"unknown"}, "a"}}}))
                           .lines;
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(keys(lines[0]), (std::vector{execution_key(1), execution_key(3)}));
}

TEST_P(ParkingConformance, CallsNobodyWhenTheBatchIsAbandoned) {
    Writes writes = competing(kWorkspace);
    const Execution parked = with_key(pending_execution(1), "k", QueuePlace::parked);
    writes.executions_new.push_back(enqueued(parked));
    ASSERT_TRUE(write(writes));
    const AdmissionRequest request = asking({.woken_keys = {{kWorkspace, "k"}}});
    EXPECT_EQ(keys(look(request).lines.at(0)), std::vector{execution_key(1)});
    EXPECT_EQ(read(parked.key), parked);
    EXPECT_TRUE(look(asking()).lines.at(0).ready.empty());
}

TEST_P(ParkingConformance, ShowsCalledOnesAsReadyAndKeepsAllElse) {
    Writes writes = competing(kWorkspace);
    const Execution parked = with_key(pending_execution(1), "k", QueuePlace::parked);
    const Execution ready = with_key(parked, "k", QueuePlace::ready);
    writes.executions_new.push_back(enqueued(parked));
    ASSERT_TRUE(write(writes));
    const AdmissionRows rows = move(asking({.woken_keys = {{kWorkspace, "k"}}}));
    EXPECT_EQ(rows.lines.at(0).ready.at(0).execution, ready);
    EXPECT_EQ(read(parked.key), ready);
    EXPECT_EQ((*reader_->execution(parked.key.id))->execution, ready);
    EXPECT_EQ(reader_->executions({.workspace_id = kWorkspace}, {})->items, std::vector{ready});
}

// Called and let in by the same batch, and called and parked again.
TEST_P(ParkingConformance, WhatABatchWritesOfACalledOneIsWhatStays) {
    Writes writes = competing(kWorkspace);
    for (const std::uint64_t n : {1u, 2u, 3u}) {
        writes.executions_new.push_back(
            enqueued(with_key(pending_execution(n), "k", QueuePlace::parked)));
    }
    ASSERT_TRUE(write(writes));
    const AdmissionRequest request = asking({.woken_keys = {{kWorkspace, "k"}}, .max_per_key = 2});
    const Result<LoadedRows> rows = store_->load({.admission = request});
    ASSERT_TRUE(rows);
    const auto& ready = rows->admission.lines.at(0).ready;
    ASSERT_EQ(ready.size(), 2u);
    const Execution taken = claim(ready[0].execution, kReplica, std::nullopt, kNoon);
    const Execution parked = with_key(ready[1].execution, "k", QueuePlace::parked);
    ASSERT_TRUE(store_->apply({.executions_changed = {taken, parked}}));
    EXPECT_EQ(read(taken.key), taken);
    EXPECT_EQ(read(parked.key), parked);
    EXPECT_EQ(place(3), QueuePlace::parked);
}

MILLRACE_FOR_ALL_STORES(ParkingConformance);

}  // namespace
}  // namespace millrace
