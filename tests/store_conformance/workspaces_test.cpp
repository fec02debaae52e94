// What stores keep of workspaces and of how their lines stand.

#include "store_conformance/store_test.hpp"
#include "support/stored_executions.hpp"

namespace millrace {
namespace {

const std::string kManyScripts = "Größe 日本語 🚀 ' \" \\ %_ \x01\x7F";

Workspace workspace_with_everything(const std::string& id) {
    return {
        .id = {id},
        .name = kManyScripts,
        .plan = kManyScripts,
        .max_active = 0,
        .max_per_key = 3,
        .rate_per_second = 0.1,
        .max_attempts = 7,
        .weight = 12,
        .is_paused = true,
        .created_at = kNoon + 1us,
        .changed_at = kNoon + 2us,
    };
}

class WorkspaceConformance : public StoreTest {
protected:
    std::optional<LineState> line(const WorkspaceId& id) {
        const auto queue = reader_->queue(id);
        EXPECT_TRUE(queue);
        if (!queue || !*queue) return std::nullopt;
        return (*queue)->line;
    }

    void expect_stored(const Workspace& expected) {
        EXPECT_EQ(first(load({.workspaces = {expected.id}}).workspaces), expected);
        EXPECT_EQ(*reader_->workspace(expected.id), expected);
        const auto queue = reader_->queue(expected.id);
        ASSERT_TRUE(queue && *queue);
        EXPECT_EQ((*queue)->workspace, expected);
    }
};

TEST_P(WorkspaceConformance, HasOneFromTheBeginning) {
    const WorkspaceId id{kDefaultWorkspace};
    const auto found = *reader_->workspace(id);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, (Workspace{.id = id,
                                 .name = "default",
                                 .plan = "UNLIMITED",
                                 .created_at = found->created_at,
                                 .changed_at = found->changed_at}));
    EXPECT_EQ(line(id), LineState{});
    EXPECT_EQ(reader_->workspaces({})->items, std::vector{*found});
    expect_stored(*found);
}

TEST_P(WorkspaceConformance, FindsNoOther) {
    EXPECT_TRUE(load({.workspaces = {kWorkspace}}).workspaces.empty());
    EXPECT_EQ(*reader_->workspace(kWorkspace), std::nullopt);
    EXPECT_FALSE(*reader_->queue(kWorkspace));
}

TEST_P(WorkspaceConformance, ReadsBackWorkspaces) {
    const Workspace plain = workspace_named("acme");
    const Workspace full = workspace_with_everything("globex");
    ASSERT_TRUE(write({.workspaces = {plain, full}}));
    expect_stored(plain);
    expect_stored(full);
    EXPECT_EQ(line(plain.id), LineState{});
    EXPECT_EQ(line(full.id), LineState{});
}

TEST_P(WorkspaceConformance, ReadsBackChangesAndLeavesTheLineAlone) {
    Workspace workspace = workspace_with_everything("acme");
    const LineState state{.virtual_time = 2.5, .is_runnable = true};
    ASSERT_TRUE(write({.workspaces = {workspace}}));
    ASSERT_TRUE(write({.lines = {{workspace.id, state}}}));

    workspace = workspace_named("acme");
    workspace.created_at = kNoon + 1us;
    workspace.changed_at = kNoon + 1h;
    ASSERT_TRUE(write({.workspaces = {workspace}}));
    expect_stored(workspace);
    EXPECT_EQ(line(workspace.id), state);
}

TEST_P(WorkspaceConformance, ReadsBackLines) {
    ASSERT_TRUE(write({.workspaces = {workspace_named("acme"), workspace_named("globex")}}));
    const LineState states[] = {
        {.virtual_time = 1.0 / 3, .is_runnable = true},
        {.virtual_time = 1e15 + 0.5, .rate = {.tokens = 0.1, .counted_at = kNoon + 1us}},
        {},
    };
    for (const LineState& state : states) {
        ASSERT_TRUE(write({.lines = {{{"acme"}, state}}}));
        EXPECT_EQ(line({"acme"}), state);
        EXPECT_EQ(line({"globex"}), LineState{});
    }
}

TEST_P(WorkspaceConformance, LeavesOutTheLineOfAWorkspaceThatIsGone) {
    ASSERT_TRUE(write({.workspaces_removed = {kWorkspace}, .lines = {{kWorkspace, {}}}}));
    EXPECT_FALSE(*reader_->queue(kWorkspace));
    ASSERT_TRUE(write({.workspaces = {workspace_named("acme")}}));
    EXPECT_EQ(line(kWorkspace), LineState{});
}

TEST_P(WorkspaceConformance, RemovesWorkspacesWithTheirDefinitionsAndLines) {
    DefinitionRecord elsewhere = definition_record();
    elsewhere.workspace_id = kOtherWorkspace;
    ASSERT_TRUE(
        write({.definitions = {definition_record(), definition_record("order", 2), elsewhere},
               .executions_new = {enqueued(pending_execution(1))},
               .workspaces = {workspace_named("acme"), workspace_named("globex")},
               .lines = {{kWorkspace, {.virtual_time = 9}}}}));
    ASSERT_TRUE(write({.workspaces_removed = {kWorkspace}}));

    EXPECT_EQ(*reader_->workspace(kWorkspace), std::nullopt);
    EXPECT_FALSE(*reader_->queue(kWorkspace));
    EXPECT_EQ(*reader_->definition(kWorkspace, "order", 0), std::nullopt);
    EXPECT_EQ(load({.definitions = {{kWorkspace, "order", 1}}}).definitions.at(0).second,
              std::nullopt);
    EXPECT_EQ(read(execution_key(1)), pending_execution(1)) << "what was asked for is answered";
    expect_stored(workspace_named("globex"));
    EXPECT_NE(*reader_->definition(kOtherWorkspace, "order", 0), std::nullopt);

    ASSERT_TRUE(write({.workspaces = {workspace_named("acme")}}));
    EXPECT_EQ(line(kWorkspace), LineState{}) << "it begins anew";
    EXPECT_EQ(*reader_->definition(kWorkspace, "order", 0), std::nullopt);
}

TEST_P(WorkspaceConformance, RefusesTextsThatNoStoreKeeps) {
    for (const std::string& bad : {std::string("a\0b", 3), std::string("\xC3(")}) {
        Workspace workspace = workspace_named("acme");
        workspace.name = bad;
        EXPECT_EQ(code_of(write({.workspaces = {workspace}})), ErrorCode::data_refused);
        workspace = workspace_named("acme");
        workspace.plan = bad;
        EXPECT_EQ(code_of(write({.workspaces = {workspace}})), ErrorCode::data_refused);
        EXPECT_EQ(code_of(write({.workspaces = {workspace_named(bad)}})), ErrorCode::data_refused);
    }
    EXPECT_EQ(reader_->workspaces({})->total, 1);
}

TEST_P(WorkspaceConformance, ListsWorkspacesInPages) {
    Writes writes;
    for (const char* id : {"a", "b", "c", "e", "f"}) {
        writes.workspaces.push_back(workspace_named(id));
    }
    ASSERT_TRUE(write(writes));
    struct Row {
        Page page;
        std::vector<std::string> ids;
        bool has_more;
    };
    const Row rows[] = {
        {{}, {"a", "b", "c", "default", "e", "f"}, false},
        {{.size = 2}, {"a", "b"}, true},
        {{.number = 1, .size = 2}, {"c", "default"}, true},
        {{.number = 2, .size = 2}, {"e", "f"}, false},
        {{.number = 3, .size = 2}, {}, false},
        {{.size = 3, .after = "c"}, {"default", "e", "f"}, false},
        {{.size = 2, .after = "bb"}, {"c", "default"}, true},
        {{.after = "f"}, {}, false},
    };
    for (const Row& row : rows) {
        const auto list = *reader_->workspaces(row.page);
        std::vector<std::string> ids;
        for (const Workspace& each : list.items) ids.push_back(each.id.value);
        EXPECT_EQ(ids, row.ids);
        EXPECT_EQ(list.has_more, row.has_more);
        EXPECT_EQ(list.total, 6);
    }
}

MILLRACE_FOR_ALL_STORES(WorkspaceConformance);

}  // namespace
}  // namespace millrace
