#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

class DefinitionsConformance : public StoreTest {
protected:
    UploadRow read_upload(const std::string& id, const std::string& canonical) {
        const LoadedRows rows = load({.uploads = {{kWorkspace, id, canonical}}});
        EXPECT_EQ(rows.uploads.size(), 1u);
        return rows.uploads.at(0).second;
    }

    std::optional<DefinitionRow> load_definition(const DefinitionKey& key) {
        const LoadedRows rows = load({.definitions = {key}});
        EXPECT_EQ(rows.definitions.size(), 1u);
        EXPECT_EQ(rows.definitions.at(0).first, key);
        return rows.definitions.at(0).second;
    }
};

DefinitionRecord with_canonical(DefinitionRecord record, std::string text, Instant uploaded_at) {
    record.canonical = std::move(text);
    record.uploaded_at = uploaded_at;
    return record;
}

TEST_P(DefinitionsConformance, KnowsNoVersionOfANewName) {
    ASSERT_TRUE(write({.definitions = {definition_record("other")}}));
    const UploadRow row = read_upload("order", "a");
    EXPECT_EQ(row.latest_version, 0);
    EXPECT_EQ(row.same_version, 0);
}

TEST_P(DefinitionsConformance, TellsTheLatestVersionAndTheNewestWithTheSameContent) {
    ASSERT_TRUE(write({.definitions = {
                           with_canonical(definition_record("order", 1), "a", kNoon + 1s),
                           with_canonical(definition_record("order", 2), "b", kNoon + 2s),
                           with_canonical(definition_record("order", 3), "a", kNoon + 3s),
                           with_canonical(definition_record("order", 10), "c", kNoon + 4s),
                       }}));
    const UploadRow same = read_upload("order", "a");
    EXPECT_EQ(same.latest_version, 10);
    EXPECT_EQ(same.same_version, 3);
    EXPECT_EQ(same.same_uploaded_at, kNoon + 3s);

    const UploadRow different = read_upload("order", "d");
    EXPECT_EQ(different.latest_version, 10);
    EXPECT_EQ(different.same_version, 0);
}

TEST_P(DefinitionsConformance, KeepsUploadsOfWorkspacesApart) {
    DefinitionRecord foreign = definition_record();
    foreign.workspace_id = kOtherWorkspace;
    ASSERT_TRUE(write({.definitions = {foreign}}));
    EXPECT_EQ(read_upload("order", foreign.canonical).latest_version, 0);
    EXPECT_EQ(load_definition({kWorkspace, "order"}), std::nullopt);
}

TEST_P(DefinitionsConformance, LoadsAVersionOrTheLatest) {
    ASSERT_TRUE(write({.definitions = {definition_record("order", 1), definition_record("order", 2),
                                       definition_record("order2", 3)}}));
    const auto first = load_definition({kWorkspace, "order", 1});
    const auto latest = load_definition({kWorkspace, "order"});
    ASSERT_TRUE(first && latest);
    EXPECT_EQ(first->ref.version, 1);
    EXPECT_EQ(latest->ref.version, 2);
    EXPECT_EQ(latest->ref.id, "order");
    EXPECT_NE(latest->ref.row_id, first->ref.row_id);
    EXPECT_EQ(latest->definition->id, "order");
    EXPECT_NE(latest->definition->find_step("charge"), nullptr);
}

TEST_P(DefinitionsConformance, AnswersEachDefinitionAskedFor) {
    ASSERT_TRUE(write({.definitions = {definition_record()}}));
    EXPECT_EQ(load_definition({kWorkspace, "order", 2}), std::nullopt);
    EXPECT_EQ(load_definition({kWorkspace, "none"}), std::nullopt);
    EXPECT_EQ(
        load({.definitions = {{kWorkspace, "none"}, {kWorkspace, "order"}}}).definitions.size(),
        2u);
}

TEST_P(DefinitionsConformance, LoadsTheDefinitionsOfInstancesOnce) {
    ASSERT_TRUE(
        write({.definitions = {definition_record("order", 1), definition_record("order", 2)}}));
    const DefinitionRef ref = ref_of(definition_record("order", 1));
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1, ref), waiting_instance(2, ref)}}));

    const LoadedRows rows = load({.instances = {instance_key(1), instance_key(2)}});
    ASSERT_EQ(rows.instance_definitions.size(), 1u);
    EXPECT_EQ(rows.instance_definitions[0].ref, ref);
    EXPECT_EQ(rows.instance_definitions[0].definition->id, "order");
}

TEST_P(DefinitionsConformance, LoadsInstancesWhoseDefinitionIsGone) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1, {99, "order", 1})}}));
    const LoadedRows rows = load({.instances = {instance_key(1)}});
    EXPECT_EQ(rows.instances.size(), 1u);
    EXPECT_TRUE(rows.instance_definitions.empty());
}

TEST_P(DefinitionsConformance, KnowsWhetherAnotherWorkspaceHasAnId) {
    DefinitionRecord foreign = definition_record("order", 1);
    foreign.workspace_id = kOtherWorkspace;
    ASSERT_TRUE(write({.definitions = {definition_record("import", 1), foreign}}));
    const auto is_elsewhere = [&](const WorkspaceId& workspace_id, const std::string& id) {
        const Result<bool> answer = reader_->is_definition_elsewhere(workspace_id, id);
        return answer && *answer;
    };
    EXPECT_TRUE(is_elsewhere(kWorkspace, "order"));
    EXPECT_FALSE(is_elsewhere(kWorkspace, "import")) << "it is here";
    EXPECT_TRUE(is_elsewhere(kOtherWorkspace, "import"));
    EXPECT_FALSE(is_elsewhere(kOtherWorkspace, "order"));
    EXPECT_FALSE(is_elsewhere(kWorkspace, "none"));
}

TEST_P(DefinitionsConformance, TellsAStoredTextThatIsNoDefinitionApart) {
    DefinitionRecord broken = definition_record();
    broken.content = "{";
    ASSERT_TRUE(write({.definitions = {broken}}));
    const DefinitionKey key{kWorkspace, "order"};
    const LoadedRows rows = load({.definitions = {key}});
    EXPECT_EQ(rows.unreadable.definitions, std::vector{key});
    EXPECT_EQ(rows.unreadable.reasons.size(), 1U);
    EXPECT_FALSE(rows.definitions.at(0).second.has_value());
    EXPECT_TRUE(write({.instances_new = {waiting_instance(1)}}));
}

MILLRACE_FOR_ALL_STORES(DefinitionsConformance);

}  // namespace
}  // namespace millrace
