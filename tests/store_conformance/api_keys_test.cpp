// Credentials as every store keeps them.

#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

using Ids = std::vector<std::string>;

ApiKey api_key(std::string id, std::optional<WorkspaceId> workspace_id = {}) {
    ApiKey key{
        .id = std::move(id),
        .name = "Größe 日本語",
        .role = Role::operator_,
        .workspace_id = std::move(workspace_id),
        .created_at = kNoon,
    };
    for (std::size_t i = 0; i < key.secret_hash.size(); ++i) {
        key.secret_hash[i] = static_cast<std::uint8_t>(i * 8);
    }
    return key;
}

class ApiKeysConformance : public StoreTest {
protected:
    std::optional<ApiKey> loaded(const std::string& id) {
        return first(load({.api_keys = {id}}).api_keys);
    }

    Ids ids(const ApiKeyFilter& filter, Page page = {}) {
        const auto listing = reader_->api_keys(filter, page);
        EXPECT_TRUE(listing);
        Ids out;
        for (const ApiKey& key : listing ? listing->items : std::vector<ApiKey>{}) {
            out.push_back(key.id);
        }
        return out;
    }
};

TEST_P(ApiKeysConformance, ReadsBackEveryField) {
    ApiKey full = api_key("b", kWorkspace);
    full.role = Role::admin;
    full.expires_at = kNoon + Duration(7);
    full.revoked_at = kNoon + Duration(9);
    ASSERT_TRUE(write({.api_keys = {api_key("a"), full}}));
    EXPECT_EQ(*reader_->api_key("a"), api_key("a"));
    EXPECT_EQ(*reader_->api_key("b"), full);
    EXPECT_EQ(loaded("b"), full);
    EXPECT_EQ(*reader_->api_key("c"), std::nullopt);
    EXPECT_EQ(*reader_->api_key("A"), std::nullopt);
    EXPECT_EQ(loaded("c"), std::nullopt);
    EXPECT_EQ(load({.api_keys = {"b", "a", "c"}}).api_keys.size(), 2u);
}

TEST_P(ApiKeysConformance, KeepsTheTimeOfTheFirstRevocation) {
    ASSERT_TRUE(write({.api_keys = {api_key("a"), api_key("b"), api_key("c")}}));
    ASSERT_TRUE(write({.api_keys_revoked = {{"a", kNoon}, {"b", kNoon + Duration(1)}}}));
    ASSERT_TRUE(write({.api_keys_revoked = {{"a", kNoon + Duration(2)}, {"unknown", kNoon}}}));
    EXPECT_EQ((*reader_->api_key("a"))->revoked_at, kNoon);
    EXPECT_EQ((*reader_->api_key("b"))->revoked_at, kNoon + Duration(1));
    EXPECT_EQ((*reader_->api_key("c"))->revoked_at, std::nullopt);
}

TEST_P(ApiKeysConformance, RefusesAKeyThatIsThereAlready) {
    ASSERT_TRUE(write({.api_keys = {api_key("a")}}));
    EXPECT_EQ(code_of(write({.api_keys = {api_key("a", kWorkspace)}})), ErrorCode::data_refused);
    EXPECT_EQ(*reader_->api_key("a"), api_key("a"));
}

TEST_P(ApiKeysConformance, RefusesTextsThatNoStoreKeeps) {
    ApiKey bad = api_key("a");
    bad.name = std::string("a\0b", 3);
    EXPECT_EQ(code_of(write({.api_keys = {bad}})), ErrorCode::data_refused);
    EXPECT_EQ(code_of(write({.api_keys = {api_key("a", WorkspaceId{"\xFF"})}})),
              ErrorCode::data_refused);
}

TEST_P(ApiKeysConformance, ListsByIdAllOrThoseOfAWorkspace) {
    ASSERT_TRUE(write({.api_keys = {api_key("a"), api_key("b", kWorkspace),
                                    api_key("c", kOtherWorkspace), api_key("d", kWorkspace)}}));
    EXPECT_EQ(ids({}), (Ids{"a", "b", "c", "d"}));
    EXPECT_EQ(ids({.workspace_id = kWorkspace}), (Ids{"b", "d"}));
    EXPECT_EQ(ids({.workspace_id = kOtherWorkspace}), Ids{"c"});
    EXPECT_EQ(ids({.workspace_id = WorkspaceId{"none"}}), Ids{});
    EXPECT_EQ(ids({}, {.number = 1, .size = 3}), Ids{"d"});
    EXPECT_EQ(ids({}, {.size = 2, .after = "b"}), (Ids{"c", "d"}));

    const auto page = reader_->api_keys({.workspace_id = kWorkspace}, {.size = 1});
    ASSERT_TRUE(page);
    EXPECT_EQ(page->total, 2);
    EXPECT_TRUE(page->has_more);
    EXPECT_EQ(page->items, std::vector{api_key("b", kWorkspace)});
    EXPECT_FALSE(reader_->api_keys({}, {.after = "c"})->has_more);
}

MILLRACE_FOR_ALL_STORES(ApiKeysConformance);

}  // namespace
}  // namespace millrace
