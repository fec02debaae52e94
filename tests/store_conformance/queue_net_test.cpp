// The net of admissions: what nobody was woken for is found all the same, some of it at a time.

#include "store_conformance/admission_test.hpp"

namespace millrace {
namespace {

constexpr int kLooksMax = 100;  // Far more than it takes.

class QueueNetConformance : public AdmissionTest {
protected:
    // Looks everywhere until it has come round.
    std::vector<AdmissionRows> come_round() {
        std::vector<AdmissionRows> looks;
        AdmissionRequest request = looking_everywhere();
        do {
            looks.push_back(move(request));
            request.lines_after = looks.back().lines_looked_at;
            request.keys_after = looks.back().keys_looked_at;
        } while ((request.lines_after != WorkspaceId{} || request.keys_after != ConcurrencyKey{}) &&
                 looks.size() < kLooksMax);
        EXPECT_LT(looks.size(), kLooksMax);
        return looks;
    }
};

TEST_P(QueueNetConformance, WakesAllWorkspacesWithReadyItems) {
    Execution due = pending_execution(3, {"due"});
    due.place = QueuePlace::due;
    due.due_at = kNoon;
    const Writes writes{
        .executions_new = {enqueued(pending_execution(1, {"waiting"})),
                           enqueued(claimed_execution(2, {"active"})), enqueued(due)},
        .workspaces = {workspace_named("active"), workspace_named("due"), workspace_named("empty"),
                       workspace_named("waiting")},
        .lines = {{{"waiting"}, {.virtual_time = 2}}}};
    ASSERT_TRUE(write(writes));
    EXPECT_TRUE(look(asking()).lines.empty());

    const auto lines = move(looking_everywhere()).lines;
    EXPECT_EQ(names(lines), std::vector<std::string>{"waiting"});
    EXPECT_EQ(lines.at(0).state, (LineState{.virtual_time = 2, .is_runnable = true}));
    EXPECT_EQ(keys(lines.at(0)), std::vector{execution_key(1, {"waiting"})});
    EXPECT_EQ(line({"waiting"}), lines.at(0).state);
    EXPECT_EQ(names(look(asking()).lines), std::vector<std::string>{"waiting"});
}

TEST_P(QueueNetConformance, WakesThoseThatItIsToldOfToo) {
    ASSERT_TRUE(write({.workspaces = {workspace_named("acme")}}));
    AdmissionRequest request = looking_everywhere();
    request.woken = {kWorkspace};
    EXPECT_EQ(names(look(request).lines), std::vector<std::string>{"acme"});
}

// A line that is below the mark by mistake would never be seen otherwise.
TEST_P(QueueNetConformance, DoesNotTrustTheMark) {
    ASSERT_TRUE(write(competing(kWorkspace, 1)));
    AdmissionRequest request = looking_everywhere();
    request.virtual_time_mark = 1'000;
    EXPECT_EQ(names(look(request).lines), std::vector<std::string>{"acme"});
}

TEST_P(QueueNetConformance, ComesRoundAllWorkspaces) {
    constexpr std::uint64_t kCount = 600;
    Writes writes;
    for (std::uint64_t n = 0; n < kCount; ++n) {
        const std::string id = "w" + std::to_string(1'000 + n);
        writes.workspaces.push_back(workspace_named(id));
        writes.executions_new.push_back(enqueued(pending_execution(n, {id})));
    }
    ASSERT_TRUE(write(writes));
    EXPECT_GT(come_round().size(), 1u) << "some at a time";
    const auto lines = look(asking({.lines_max = 10'000})).lines;
    EXPECT_EQ(lines.size(), kCount);
}

TEST_P(QueueNetConformance, CallsParkedItemsWhoseKeyHasRoom) {
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(with_key(pending_execution(1), "free", QueuePlace::parked)),
                            enqueued(with_key(claimed_execution(2), "full", QueuePlace::active)),
                            enqueued(with_key(pending_execution(3), "full", QueuePlace::parked))},
         .workspaces = {workspace_named("acme")}}));
    const auto lines = move(looking_everywhere()).lines;
    ASSERT_EQ(names(lines), std::vector<std::string>{"acme"}) << "and wakes its line for it";
    EXPECT_EQ(keys(lines[0]), std::vector{execution_key(1)});
    EXPECT_EQ(read(execution_key(1))->place, QueuePlace::ready);
    EXPECT_EQ(read(execution_key(3))->place, QueuePlace::parked);
}

TEST_P(QueueNetConformance, ComesRoundAllParkedKeys) {
    constexpr std::uint64_t kCount = 600;
    Writes writes = competing(kWorkspace);
    for (std::uint64_t n = 0; n < kCount; ++n) {
        const std::string key = "key " + std::to_string(n);
        writes.executions_new.push_back(
            enqueued(with_key(pending_execution(n), key, QueuePlace::parked)));
    }
    ASSERT_TRUE(write(writes));
    EXPECT_GT(come_round().size(), 1u) << "some at a time";
    EXPECT_EQ((*reader_->queue(kWorkspace))->counts.parked, 0);
    EXPECT_EQ((*reader_->queue(kWorkspace))->counts.ready, kCount);
}

TEST_P(QueueNetConformance, FindsItemsOfWorkspacesThatAreGone) {
    const Execution orphan = pending_execution(1, {"gone"});
    const NewExecution items[] = {enqueued(orphan), enqueued(pending_execution(2, {"gone"})),
                                  enqueued(claimed_execution(3, {"gone"})),
                                  enqueued(pending_execution(4))};
    ASSERT_TRUE(write({.executions_new = {std::begin(items), std::end(items)},
                       .workspaces = {workspace_named("acme"), workspace_named("gone")}}));
    ASSERT_TRUE(write({.workspaces_removed = {{"gone"}}}));
    EXPECT_TRUE(look(asking({.woken = {{"gone"}}})).orphans.empty());

    const Result<LoadedRows> rows = store_->load({.admission = looking_everywhere()});
    ASSERT_TRUE(rows);
    EXPECT_EQ(names(rows->admission.lines), std::vector<std::string>{"acme"});
    EXPECT_EQ(keys(rows->admission.orphans), (std::vector{orphan.key, execution_key(2, {"gone"})}));
    EXPECT_EQ(rows->admission.orphans.at(0), orphan);
    const Execution over = failed(orphan, failure::kWorkspaceNotFound, "", kNoon + 1h);
    ASSERT_TRUE(store_->apply({.executions_changed = {over}}));
    EXPECT_EQ(read(orphan.key), over);
    EXPECT_EQ(keys(look(looking_everywhere()).orphans), std::vector{execution_key(2, {"gone"})});
}

TEST_P(QueueNetConformance, FindsParkedItemsOfWorkspacesThatAreGone) {
    ASSERT_TRUE(write({.executions_new = {enqueued(
                           with_key(pending_execution(1, {"gone"}), "k", QueuePlace::parked))}}));
    move(looking_everywhere());
    const auto orphans = look(looking_everywhere()).orphans;
    ASSERT_EQ(keys(orphans), std::vector{execution_key(1, {"gone"})});
    EXPECT_EQ(orphans[0].place, QueuePlace::ready);
}

TEST_P(QueueNetConformance, TakesOrphansSomeAtATime) {
    Writes writes;
    for (std::uint64_t n = 1; n <= 250; ++n) {
        writes.executions_new.push_back(enqueued(pending_execution(n, {"gone"})));
    }
    ASSERT_TRUE(write(writes));
    std::size_t found = 0;
    for (int looks = 0; looks < kLooksMax; ++looks) {
        const Result<LoadedRows> rows = store_->load({.admission = looking_everywhere()});
        ASSERT_TRUE(rows);
        Writes ends;
        for (const Execution& each : rows->admission.orphans) {
            ends.executions_changed.push_back(failed(each, failure::kWorkspaceNotFound, "", kNoon));
        }
        ASSERT_TRUE(store_->apply(ends));
        EXPECT_LE(ends.executions_changed.size(), 100u);
        found += ends.executions_changed.size();
        if (ends.executions_changed.empty()) break;
    }
    EXPECT_EQ(found, 250u);
}

MILLRACE_FOR_ALL_STORES(QueueNetConformance);

}  // namespace
}  // namespace millrace
