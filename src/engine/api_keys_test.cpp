#include <gtest/gtest.h>

#include "engine/create_api_key.hpp"
#include "engine/revoke_api_key.hpp"

namespace millrace {
namespace {

const Instant kNow{Duration(1'000'000)};
const WorkspaceId kAcme{"acme"};

// The rows of a batch in which these keys are stored.
WorkingSet with_keys(std::vector<ApiKey> keys) {
    WorkingSet rows;
    rows.add({}, {.api_keys = std::move(keys)});
    return rows;
}

TEST(CreateApiKeyTest, StoresTheKeyWithTheTimeOfTheCommit) {
    const CreateApiKey command{{.id = "a", .name = "ci", .expires_at = kNow + Duration(1)}};
    const auto decision = decide(command, with_keys({}), kNow);
    ASSERT_TRUE(decision);
    EXPECT_EQ(decision->answer.created_at, kNow);
    EXPECT_EQ(decision->effects.api_keys, std::vector{decision->answer});
    EXPECT_EQ(footprint(command).api_keys, std::vector<std::string>{"a"});
}

TEST(CreateApiKeyTest, RefusesAnIdThatExistsAndATimeThatIsOver) {
    EXPECT_EQ(decide(CreateApiKey{{.id = "a"}}, with_keys({{.id = "a"}}), kNow).error().code,
              ErrorCode::conflict);
    const CreateApiKey expired{{.id = "a", .expires_at = kNow}};
    EXPECT_EQ(decide(expired, with_keys({}), kNow).error().code, ErrorCode::invalid_argument);
}

TEST(RevokeApiKeyTest, RevokesOnce) {
    WorkingSet rows = with_keys({{.id = "a"}});
    const auto first = decide(RevokeApiKey{.id = "a"}, rows, kNow);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->answer.revoked_at, kNow);
    EXPECT_EQ(first->effects.api_keys_revoked, (std::vector<ApiKeyRevocation>{{"a", kNow}}));

    rows.absorb(first->effects);
    const auto second = decide(RevokeApiKey{.id = "a"}, rows, kNow + Duration(1));
    ASSERT_TRUE(second);
    EXPECT_EQ(second->answer.revoked_at, kNow);
    EXPECT_TRUE(second->effects.api_keys_revoked.empty());
}

TEST(RevokeApiKeyTest, FindsOnlyWhatItsCallerMaySee) {
    const WorkingSet rows = with_keys({{.id = "all"}, {.id = "acme", .workspace_id = kAcme}});
    struct Row {
        const char* id;
        std::optional<WorkspaceId> scope;
        bool is_found;
    };
    for (const Row& row : {
             Row{"all", {}, true},
             Row{"acme", {}, true},
             Row{"acme", kAcme, true},
             Row{"all", kAcme, false},
             Row{"acme", WorkspaceId{"globex"}, false},
             Row{"none", {}, false},
         }) {
        const auto decision = decide(RevokeApiKey{row.id, row.scope}, rows, kNow);
        EXPECT_EQ(bool(decision), row.is_found) << row.id;
        if (decision) continue;
        EXPECT_EQ(decision.error().code, ErrorCode::not_found);
    }
}

}  // namespace
}  // namespace millrace
