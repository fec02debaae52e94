// What an admission sees of the queue: the lines that compete, what they have and what waits there.

#include "store_conformance/admission_test.hpp"

#include "core/limits.hpp"

namespace millrace {
namespace {

class AdmissionConformance : public AdmissionTest {};

TEST_P(AdmissionConformance, SeesNothingInAnEmptyDatabase) {
    for (const AdmissionRequest& request : {asking(), looking_everywhere()}) {
        const AdmissionRows rows = look(request);
        EXPECT_TRUE(rows.lines.empty());
        EXPECT_TRUE(rows.orphans.empty());
        EXPECT_TRUE(rows.still_asleep.empty());
        EXPECT_EQ(rows.lines_looked_at, WorkspaceId{});
        EXPECT_EQ(rows.keys_looked_at, ConcurrencyKey{});
    }
}

// Goal: whoever begins to compete again starts level with those that do already: neither behind for
// what it got before, nor before them for what it did not use.
TEST_P(AdmissionConformance, WakesLinesLevelWithTheLowestThatCompetes) {
    struct Row {
        const char* name;
        LineState asleep;
        std::optional<double> other;  // The virtual time of one that competes.
        double mark;
        double expected;
    };
    const Row rows[] = {
        {"alone", {.virtual_time = 3}, std::nullopt, 0, 3},
        {"behind the others", {.virtual_time = 3}, 5, 0, 5},
        {"before the others", {.virtual_time = 9.5}, 5, 0, 9.5},
        {"below the mark", {.virtual_time = 3}, std::nullopt, 7, 7},
        {"all below the mark", {.virtual_time = 3}, 5, 7, 7},
        {"awake already", {.virtual_time = 3, .is_runnable = true}, 5, 0, 3},
    };
    ASSERT_TRUE(write({.workspaces = {workspace_named("acme"), workspace_named("other")}}));
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const LineState other{.virtual_time = row.other.value_or(0),
                              .is_runnable = row.other.has_value()};
        LineState before = row.asleep;
        before.rate = {.tokens = 0.5, .counted_at = kNoon};
        LineState after = before;
        after.is_runnable = true;
        after.virtual_time = row.expected;
        ASSERT_TRUE(write({.lines = {{kWorkspace, before}, {{"other"}, other}}}));

        const AdmissionRequest request =
            asking({.woken = {kWorkspace, {"unknown"}}, .virtual_time_mark = row.mark});
        const auto lines = look(request).lines;
        const auto seen = std::ranges::find(
            lines, kWorkspace, [](const WorkspaceLine& each) { return each.workspace.id; });
        ASSERT_NE(seen, lines.end());
        EXPECT_EQ(seen->state, after);
        EXPECT_EQ(line(kWorkspace), before) << "a batch that is abandoned leaves no trace";
        move(request);
        EXPECT_EQ(line(kWorkspace), after);
        EXPECT_EQ(line({"other"}), other);
    }
}

TEST_P(AdmissionConformance, WakesSeveralLinesAtOnce) {
    ASSERT_TRUE(write({.workspaces = {workspace_named("a"), workspace_named("b")},
                       .lines = {{{"a"}, {.virtual_time = 1}}, {{"b"}, {.virtual_time = 2}}}}));
    // What is woken here is not level with what is woken here: nobody competes yet.
    const AdmissionRows rows = move(asking({.woken = {{"a"}, {"b"}}}));
    EXPECT_EQ(names(rows.lines), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(rows.still_asleep.empty());
    EXPECT_EQ(line({"a"}), (LineState{.virtual_time = 1, .is_runnable = true}));
    EXPECT_EQ(line({"b"}), (LineState{.virtual_time = 2, .is_runnable = true}));
}

TEST_P(AdmissionConformance, WhatABatchWritesOfALineIsWhatStays) {
    ASSERT_TRUE(write({.workspaces = {workspace_named("acme")}}));
    ASSERT_TRUE(store_->load({.admission = asking({.woken = {kWorkspace}})}));
    const LineState decided{.virtual_time = 4, .rate = {.tokens = 2, .counted_at = kNoon}};
    ASSERT_TRUE(store_->apply({.lines = {{kWorkspace, decided}}}));
    EXPECT_EQ(line(kWorkspace), decided);
    EXPECT_TRUE(look(asking()).lines.empty());
}

TEST_P(AdmissionConformance, ShowsLinesThatCompeteTheOneThatGotLeastFirst) {
    const std::pair<const char*, LineState> states[] = {
        {"a", {.virtual_time = 7, .is_runnable = true}},
        {"b", {.virtual_time = 5, .is_runnable = true}},
        {"c", {.virtual_time = 1}},
        {"d", {.virtual_time = 5, .is_runnable = true}},
        {"e", {.virtual_time = 0.5, .is_runnable = true}},
    };
    for (const auto& [id, state] : states) {
        ASSERT_TRUE(write({.workspaces = {workspace_named(id)}, .lines = {{{id}, state}}}));
    }
    struct Row {
        AdmissionRequest request;
        std::vector<std::string> expected;
    };
    const Row rows[] = {
        {{}, {"e", "b", "d", "a"}},
        {{.lines_max = 2}, {"e", "b"}},
        {{.lines_max = 0}, {}},
        {{.virtual_time_mark = 0.5}, {"e", "b", "d", "a"}},
        {{.virtual_time_mark = 0.6}, {"b", "d", "a"}},
        {{.lines_max = 1, .virtual_time_mark = 5.5}, {"a"}},
        {{.virtual_time_mark = 8}, {}},
        {{.looks_everywhere = true, .virtual_time_mark = 8}, {"e", "b", "d", "a"}},
    };
    for (const Row& row : rows) EXPECT_EQ(names(look(asking(row.request)).lines), row.expected);
}

TEST_P(AdmissionConformance, ShowsTheWorkspaceAndTheStateOfALine) {
    Workspace workspace = workspace_named("acme");
    workspace.max_active = 3;
    workspace.rate_per_second = 0.25;
    const LineState state{.virtual_time = 1.5,
                          .is_runnable = true,
                          .rate = {.tokens = 0.75, .counted_at = kNoon + 1us}};
    ASSERT_TRUE(write({.workspaces = {workspace}, .lines = {{kWorkspace, state}}}));
    const auto lines = look(asking()).lines;
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].workspace, workspace);
    EXPECT_EQ(lines[0].state, state);
    EXPECT_EQ(lines[0].active, 0);
    EXPECT_EQ(lines[0].ready_count, 0);
    EXPECT_TRUE(lines[0].ready.empty());
}

TEST_P(AdmissionConformance, CountsSlotsAndReadyOnes) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write(competing(kOtherWorkspace, 1)));
    Execution due = pending_execution(7);
    due.place = QueuePlace::due;
    due.due_at = kNoon;
    ASSERT_TRUE(
        write({.executions_new = {enqueued(pending_execution(1)), enqueued(pending_execution(2)),
                                  enqueued(pending_execution(3)), enqueued(claimed_execution(4)),
                                  enqueued(claimed_execution(5)), enqueued(dispatched_execution(6)),
                                  enqueued(due), enqueued(failed_execution(8)),
                                  enqueued(with_key(pending_execution(9), "k", QueuePlace::parked)),
                                  enqueued(pending_execution(10, kOtherWorkspace))}}));
    struct Row {
        std::int32_t count_max;
        std::optional<std::int32_t> active_counted;
        std::int64_t active;
        std::int64_t ready_count;
    };
    const Row rows[] = {
        {1'000, std::nullopt, 3, 3}, {2, std::nullopt, 3, 2}, {3, 2, 2, 3}, {1'000, 3, 3, 3},
        {1'000, 100, 3, 3},          {1'000, 0, 0, 3},
    };
    for (const Row& row : rows) {
        AdmissionRequest request = asking({.count_max = row.count_max});
        request.active_counted = [&](const Workspace& workspace) -> std::optional<std::int32_t> {
            EXPECT_TRUE(workspace == workspace_named("acme") ||
                        workspace == workspace_named("globex"));
            return row.active_counted;
        };
        const auto lines = look(request).lines;
        ASSERT_EQ(lines.size(), 2u);
        EXPECT_EQ(lines[0].active, row.active);
        EXPECT_EQ(lines[0].ready_count, row.ready_count);
        EXPECT_EQ(lines[1].active, 0);
        EXPECT_EQ(lines[1].ready_count, 1);
    }
    EXPECT_EQ(look(asking()).lines.at(0).active, 3) << "all, where nobody says how far";
}

// Inputs may have megabytes: what finds no room stays in its line for the next admission.
TEST_P(AdmissionConformance, ReadsNoMoreThanSoManyBytesOfInputs) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write(competing(kOtherWorkspace, 1)));
    std::vector<NewExecution> executions;
    for (const auto& [number, workspace] :
         {std::pair{1u, kWorkspace}, {3u, kWorkspace}, {4u, kWorkspace}, {5u, kOtherWorkspace}}) {
        executions.push_back(enqueued(pending_execution(number, workspace)));
        executions.back().input = Variables::from_text(R"({"a":")" + std::string(92, 'x') + "\"}");
    }
    ASSERT_TRUE(write({.executions_new = std::move(executions)}));
    AdmissionRequest request{.bytes_max = 150};
    request.quota = [](const WorkspaceLine&, std::size_t) {
        return 10;
    };
    const auto lines = look(request).lines;
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(keys(lines[0]), (std::vector{execution_key(1), execution_key(3)}));
    EXPECT_EQ(lines[0].ready_count, 3);
    EXPECT_TRUE(lines[1].ready.empty());
    EXPECT_EQ(lines[1].ready_count, 1);
}

TEST_P(AdmissionConformance, AsksHowManyItemsAreWorthReading) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write(competing(kOtherWorkspace, 1)));
    ASSERT_TRUE(
        write({.executions_new = {enqueued(pending_execution(1)), enqueued(claimed_execution(2)),
                                  enqueued(pending_execution(3)), enqueued(pending_execution(4)),
                                  enqueued(pending_execution(5, kOtherWorkspace))}}));
    std::vector<std::string> asked;
    AdmissionRequest request;
    request.quota = [&](const WorkspaceLine& line, std::size_t lines) {
        EXPECT_EQ(lines, 2u);
        EXPECT_TRUE(line.ready.empty());
        asked.push_back(line.workspace.id.value);
        if (line.workspace.id == kOtherWorkspace) return 0;
        EXPECT_EQ(line.active, 1);
        EXPECT_EQ(line.ready_count, 3);
        return 2;
    };
    const auto lines = look(request).lines;
    EXPECT_EQ(asked, (std::vector<std::string>{"acme", "globex"}));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(keys(lines[0]), (std::vector{execution_key(1), execution_key(3)}));
    EXPECT_TRUE(lines[1].ready.empty());
    EXPECT_EQ(lines[1].ready_count, 1);
}

TEST_P(AdmissionConformance, ReadsItemsByRankAndThenById) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    const auto ranked = [](std::uint64_t n, Duration after_noon) {
        Execution execution = pending_execution(n);
        execution.rank_at = kNoon + after_noon;
        return enqueued(execution);
    };
    ASSERT_TRUE(write({.executions_new = {ranked(1, 3us), ranked(2, 2us), ranked(3, 2us),
                                          ranked(4, 1us), ranked(5, 9us)}}));
    const auto lines = look(asking()).lines;
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(keys(lines[0]), (std::vector{execution_key(4), execution_key(2), execution_key(3),
                                           execution_key(1), execution_key(5)}));
}

TEST_P(AdmissionConformance, ShowsAllOfAnItem) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    NewExecution item = enqueued(with_key(pending_execution(1), "k", QueuePlace::ready));
    item.execution.deadline = kNoon + 1h;
    item.execution.requested_by = "ops";
    item.input = Variables::from_text(R"({"text":"日本語"})");
    ASSERT_TRUE(write({.executions_new = {item}}));
    const auto lines = look(asking()).lines;
    ASSERT_EQ(lines.size(), 1u);
    ASSERT_EQ(lines[0].ready.size(), 1u);
    EXPECT_EQ(lines[0].ready[0].execution, item.execution);
    EXPECT_EQ(lines[0].ready[0].input, item.input);
    EXPECT_EQ(lines[0].ready[0].instance, std::nullopt);
}

TEST_P(AdmissionConformance, CountsTheSlotsOfAConcurrencyKey) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    const auto active = [](std::uint64_t n, const std::string& key, const WorkspaceId& workspace) {
        return enqueued(with_key(claimed_execution(n, workspace), key, QueuePlace::active));
    };
    ASSERT_TRUE(
        write({.executions_new = {active(1, "k", kWorkspace), active(2, "k", kWorkspace),
                                  active(3, "l", kWorkspace), active(4, "k", kOtherWorkspace),
                                  active(5, "", kWorkspace),
                                  enqueued(with_key(pending_execution(6), "k", QueuePlace::ready)),
                                  enqueued(with_key(pending_execution(7), "l", QueuePlace::ready)),
                                  enqueued(with_key(pending_execution(8), "m", QueuePlace::ready)),
                                  enqueued(pending_execution(9))}}));
    const auto lines = look(asking()).lines;
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].active, 4);
    std::vector<std::int64_t> counts;
    for (const WaitingExecution& each : lines[0].ready) counts.push_back(each.active_of_key);
    EXPECT_EQ(counts, (std::vector<std::int64_t>{2, 1, 0, 0}));
}

// A broken row: it is not for an admission to start what somebody has started.
TEST_P(AdmissionConformance, ReadsNothingWhoseRecordIsNotPending) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    Execution broken = claimed_execution(1);
    broken.place = QueuePlace::ready;
    ASSERT_TRUE(write({.executions_new = {enqueued(broken), enqueued(pending_execution(2))}}));
    const auto lines = look(asking()).lines;
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(keys(lines[0]), std::vector{execution_key(2)});
}

TEST_P(AdmissionConformance, BringsTheDefinitionsThatAreThere) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write({.definitions = {definition_record(), definition_record("order", 2),
                                       definition_record("unused")}}));
    const auto of = [&](std::uint64_t n, DefinitionRef ref) {
        Execution execution = pending_execution(n);
        execution.definition = std::move(ref);
        return enqueued(execution);
    };
    const DefinitionRef first = ref_of(definition_record());
    const DefinitionRef second = ref_of(definition_record("order", 2));
    ASSERT_TRUE(write({.executions_new = {of(1, first), of(2, second), of(3, first),
                                          of(4, {.row_id = 999, .id = "gone", .version = 1})}}));
    LoadedRows rows = load({.admission = asking()});
    ASSERT_EQ(rows.admission.lines.size(), 1u);
    EXPECT_EQ(rows.admission.lines[0].ready.size(), 4u);
    WorkingSet set;
    set.add({.admission = asking()}, rows);
    const auto found = [&](std::uint64_t n) {
        const DefinitionRow* row = set.definition_of(*set.find(execution_key(n)));
        return row == nullptr ? std::nullopt : std::optional(row->ref);
    };
    EXPECT_EQ(found(1), first);
    EXPECT_EQ(found(2), second);
    EXPECT_EQ(found(3), first);
    EXPECT_EQ(found(4), std::nullopt);
    for (const DefinitionRow& row : rows.instance_definitions) {
        ASSERT_NE(row.definition, nullptr);
        EXPECT_EQ(row.ref.id, "order");
    }
}

TEST_P(AdmissionConformance, BringsTheInstanceOfAnItemThatResumes) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write({.definitions = {definition_record()}}));
    const Instance instance = waiting_instance(50, ref_of(definition_record()));
    const auto of = [](std::uint64_t n, bool is_resuming, std::uint64_t instance_number) {
        Execution execution = pending_execution(n);
        execution.is_resuming = is_resuming;
        execution.instance_id = instance_key(instance_number).id;
        return enqueued(execution);
    };
    Instance elsewhere = waiting_instance(52);
    elsewhere.key.workspace_id = kOtherWorkspace;
    ASSERT_TRUE(write(
        {.instances_new = {instance, elsewhere},
         .executions_new = {of(1, true, 50), of(2, false, 50), of(3, true, 51), of(4, true, 52)}}));
    LoadedRows rows = load({.admission = asking()});
    ASSERT_EQ(rows.admission.lines.size(), 1u);
    const auto& ready = rows.admission.lines[0].ready;
    ASSERT_EQ(ready.size(), 4u);
    EXPECT_EQ(ready[0].instance, instance);
    EXPECT_EQ(ready[1].instance, std::nullopt);
    EXPECT_EQ(ready[2].instance, std::nullopt);
    EXPECT_EQ(ready[3].instance, std::nullopt);
    WorkingSet set;
    set.add({.admission = asking()}, rows);
    ASSERT_NE(set.find(instance.key), nullptr);
    EXPECT_NE(set.definition_of(*set.find(instance.key)), nullptr);
}

TEST_P(AdmissionConformance, SeesWhatOtherRowsOfTheFootprintAre) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write(
        {.instances_new = {waiting_instance(1)},
         .executions_new = {enqueued(pending_execution(1)), enqueued(claimed_execution(2))}}));
    const LoadedRows rows = load({.instances = {instance_key(1)},
                                  .executions = {execution_key(1), execution_key(2)},
                                  .workspaces = {kWorkspace},
                                  .admission = asking()});
    EXPECT_EQ(rows.instances, std::vector{waiting_instance(1)});
    EXPECT_EQ(rows.executions, (std::vector{pending_execution(1), claimed_execution(2)}));
    EXPECT_EQ(rows.workspaces, std::vector{workspace_named("acme")});
    ASSERT_EQ(rows.admission.lines.size(), 1u);
    EXPECT_EQ(keys(rows.admission.lines[0]), std::vector{execution_key(1)});
}

TEST_P(AdmissionConformance, ItemsThatAreLetInAreActive) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(pending_execution(1)), enqueued(pending_execution(2))}}));
    const Result<LoadedRows> rows = store_->load({.admission = asking()});
    ASSERT_TRUE(rows);
    const Execution taken =
        claim(rows->admission.lines.at(0).ready.at(0).execution, kReplica, kNoon + 1h, kNoon);
    const LineState decided{.virtual_time = 1, .is_runnable = true};
    ASSERT_TRUE(store_->apply({.executions_changed = {taken}, .lines = {{kWorkspace, decided}}}));
    EXPECT_EQ(read(execution_key(1)), taken);
    const auto lines = look(asking()).lines;
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].state, decided);
    EXPECT_EQ(lines[0].active, 1);
    EXPECT_EQ(keys(lines[0]), std::vector{execution_key(2)});
}

MILLRACE_FOR_ALL_STORES(AdmissionConformance);

}  // namespace
}  // namespace millrace
