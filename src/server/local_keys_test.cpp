#include "server/local_keys.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "api/access/minted_key.hpp"
#include "runtime/csprng_random.hpp"
#include "store/memory/memory_database.hpp"
#include "support/fake_clock.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

class LocalKeysTest : public testing::Test {
protected:
    Result<std::string> create(const NewKey& wanted) {
        return create_first_key(database_, wanted, clock_, random_);
    }

    FakeClock clock_{Instant{std::chrono::seconds{1'800'000'000}}};
    runtime::CsprngRandom random_;
    MemoryDatabase database_;
    std::unique_ptr<Reader> reader_ = database_.reader();
};

TEST_F(LocalKeysTest, MakesAKeyInTheStore) {
    EXPECT_FALSE(*has_admin_key(*reader_, clock_.now()));
    const Result<std::string> text = create({.name = "ops"});
    ASSERT_TRUE(text) << text.error().detail;
    const std::optional<KeyText> sent = parse_key_text(*text);
    ASSERT_TRUE(sent);

    const auto stored = reader_->api_key(sent->id);
    ASSERT_TRUE(stored && *stored);
    EXPECT_EQ((*stored)->name, "ops");
    EXPECT_EQ((*stored)->role, Role::admin);
    EXPECT_EQ((*stored)->workspace_id, std::nullopt);
    EXPECT_EQ((*stored)->created_at, clock_.now());
    EXPECT_TRUE(is_same_hash((*stored)->secret_hash, access::hash_of(sent->secret)));
    EXPECT_TRUE(*has_admin_key(*reader_, clock_.now()));
}

TEST_F(LocalKeysTest, MakesAStoreOnlyWhenAsked) {
    const TemporaryFolder folder;
    NewKeyText wanted{
        .store = "sqlite:" + (folder.path() / "data" / "millrace.db").string(),
        .name = "ops",
        .role = "admin",
    };
    const auto refused = create_key_in_store(wanted);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::not_found);
    EXPECT_NE(refused.error().detail.find("`millrace serve` makes"), std::string::npos);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    wanted.may_make_store = true;
    const auto first = create_key_in_store(wanted);
    ASSERT_TRUE(first) << first.error().detail;
    wanted.may_make_store = false;
    const auto second = create_key_in_store(wanted);
    ASSERT_TRUE(second) << second.error().detail;
    EXPECT_NE(*first->find("key")->if_string(), *second->find("key")->if_string());
}

TEST_F(LocalKeysTest, LeavesNoStoreWhenTheKeyIsRefused) {
    const TemporaryFolder folder;
    const auto refused =
        create_key_in_store({.store = "sqlite:" + (folder.path() / "data" / "millrace.db").string(),
                             .name = "ops",
                             .role = "admin",
                             .expires_at = "2020-01-01T00:00:00Z",
                             .may_make_store = true});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().detail, "expiresAt must be in the future");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(LocalKeysTest, AnswersAsTheApiDoes) {
    const TemporaryFolder folder;
    const std::string store = "sqlite:" + (folder.path() / "millrace.db").string();
    const auto made = create_key_in_store({.store = store,
                                           .name = "ops",
                                           .role = "operator",
                                           .workspace = "acme",
                                           .may_make_store = true});
    ASSERT_TRUE(made) << made.error().detail;
    EXPECT_EQ(*made->find("role")->if_string(), "operator");
    EXPECT_EQ(*made->find("workspace")->if_string(), "acme");
    EXPECT_TRUE(parse_key_text(*made->find("key")->if_string()));
    for (const NewKeyText& wrong :
         {NewKeyText{.store = store, .name = "ops", .role = "root"},
          NewKeyText{.store = store, .name = "ops", .role = "admin", .workspace = ""},
          NewKeyText{.store = store, .name = "ops", .role = "admin", .expires_at = ""}}) {
        const auto refused = create_key_in_store(wrong);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    }
}

TEST_F(LocalKeysTest, RefusesWhatTheApiWouldRefuse) {
    EXPECT_EQ(create({.name = ""}).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(create({.name = std::string(257, 'x')}).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(create({.expires_at = clock_.now()}).error().code, ErrorCode::invalid_argument);
}

TEST_F(LocalKeysTest, CountsOnlyKeysThatLetAnAdminIn) {
    ASSERT_TRUE(create({.role = Role::operator_}));
    ASSERT_TRUE(create({.workspace_id = WorkspaceId{"acme"}}));
    ASSERT_TRUE(create({.expires_at = clock_.now() + Duration(1)}));
    EXPECT_TRUE(*has_admin_key(*reader_, clock_.now()));
    EXPECT_FALSE(*has_admin_key(*reader_, clock_.now() + Duration(1)));
}

}  // namespace
}  // namespace millrace
