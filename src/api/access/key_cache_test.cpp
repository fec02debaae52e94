#include "api/access/key_cache.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "store/memory/memory_database.hpp"
#include "support/fake_clock.hpp"

namespace millrace::access {
namespace {

class KeyCacheTest : public testing::Test {
protected:
    KeyCacheTest() { write({.api_keys = {{.id = "a", .name = "ci"}}}); }

    void write(const Writes& writes) {
        ASSERT_TRUE(store_->load({}));
        ASSERT_TRUE(store_->apply(writes));
    }

    struct Answer {
        bool is_given = false;
        Result<KnownKeyPtr> key = Error{};
    };

    std::shared_ptr<Answer> ask(const std::string& id) {
        auto answer = std::make_shared<Answer>();
        cache_.find(id, [answer](const Result<KnownKeyPtr>& key) {
            EXPECT_FALSE(answer->is_given) << "answered twice";
            *answer = {true, key};
        });
        return answer;
    }
    // Answers every question; how many there were.
    int read_all() {
        int count = 0;
        while (queries_.run_once(*reader_)) ++count;
        return count;
    }

    FakeClock clock_{Instant{std::chrono::seconds{1'800'000'000}}};
    MemoryDatabase database_;
    std::unique_ptr<BatchStore> store_ = database_.batch_store();
    std::unique_ptr<Reader> reader_ = database_.reader();
    QueryQueue queries_{[] {
    }};
    KeyCache cache_{queries_, clock_};
};

TEST_F(KeyCacheTest, AsksTheStoreOnceForAllWhoWait) {
    const auto first = ask("a");
    const auto second = ask("a");
    EXPECT_FALSE(first->is_given);
    EXPECT_EQ(read_all(), 1);
    ASSERT_TRUE(first->is_given && second->is_given);
    EXPECT_EQ((*first->key)->key.name, "ci");
    EXPECT_EQ((*second->key)->principal.name, "ci");
}

TEST_F(KeyCacheTest, RemembersForAMoment) {
    ask("a");
    read_all();
    clock_.advance(limits::kApiKeyFresh - Duration(1));
    EXPECT_TRUE(ask("a")->is_given);
    EXPECT_EQ(read_all(), 0);
}

TEST_F(KeyCacheTest, ReadsAgainInTheBackgroundBeforeAnybodyHasToWait) {
    ask("a");
    read_all();
    clock_.advance(limits::kApiKeyFresh);
    EXPECT_TRUE(ask("a")->is_given);
    EXPECT_TRUE(ask("a")->is_given);
    EXPECT_EQ(read_all(), 1);
    EXPECT_TRUE(ask("a")->is_given);
    EXPECT_EQ(read_all(), 0);
}

TEST_F(KeyCacheTest, UsesNothingThatIsTooOld) {
    ask("a");
    read_all();
    write({.api_keys_revoked = {{"a", clock_.now()}}});  // As another server would.
    clock_.advance(limits::kApiKeyStale);
    const auto answer = ask("a");
    EXPECT_FALSE(answer->is_given);
    EXPECT_EQ(read_all(), 1);
    EXPECT_TRUE((*answer->key)->key.revoked_at);
}

TEST_F(KeyCacheTest, RemembersThatThereIsNone) {
    const auto first = ask("b");
    EXPECT_EQ(read_all(), 1);
    ASSERT_TRUE(first->is_given && first->key);
    EXPECT_EQ(*first->key, nullptr);
    EXPECT_TRUE(ask("b")->is_given);
    EXPECT_EQ(read_all(), 0);
    EXPECT_FALSE(cache_.has_seen("b"));
}

TEST_F(KeyCacheTest, ReadsWhatHasChanged) {
    ask("a");
    read_all();
    EXPECT_TRUE(cache_.has_seen("a"));
    write({.api_keys_revoked = {{"a", clock_.now()}}});
    cache_.renew("a");
    EXPECT_FALSE(cache_.has_seen("a"));
    const auto answer = ask("a");
    EXPECT_FALSE(answer->is_given);
    EXPECT_EQ(read_all(), 1) << "the question of the renewal answers both";
    EXPECT_TRUE((*answer->key)->key.revoked_at);
}

// Goal: a revocation is not overwritten by an answer from before it. Method: renew while the
// question waits, as when the commit comes between the read and its answer.
TEST_F(KeyCacheTest, AsksAgainWhenTheKeyChangesWhileItIsRead) {
    const auto answer = ask("a");
    cache_.renew("a");
    EXPECT_EQ(read_all(), 2);
    EXPECT_TRUE(answer->is_given);
}

TEST_F(KeyCacheTest, SeesAKeyThatHasComeBeforeAnybodyAsks) {
    write({.api_keys = {{.id = "b", .name = "new"}}});
    EXPECT_FALSE(cache_.has_seen("b"));
    cache_.renew("b");
    EXPECT_EQ(read_all(), 1);
    EXPECT_TRUE(cache_.has_seen("b"));
    EXPECT_TRUE(ask("b")->is_given);
}

TEST_F(KeyCacheTest, SeesAllGoodKeysOfTheStoreAndReadsThemWhenTheyCome) {
    const Instant now = clock_.now();
    write({.api_keys = {{.id = "old", .expires_at = now}, {.id = "gone", .revoked_at = now}}});
    Writes many;
    for (int i = 0; i < limits::kPageSizeMax + 1; ++i) {
        many.api_keys.push_back({.id = "k" + std::to_string(i)});
    }
    write(many);
    ASSERT_TRUE(cache_.see_all(*reader_));
    EXPECT_TRUE(cache_.has_seen("a"));
    for (const ApiKey& key : many.api_keys) EXPECT_TRUE(cache_.has_seen(key.id)) << key.id;
    EXPECT_FALSE(cache_.has_seen("old"));
    EXPECT_FALSE(cache_.has_seen("gone"));

    const auto answer = ask("a");
    EXPECT_FALSE(answer->is_given) << "it may have been revoked since";
    read_all();
    EXPECT_TRUE(answer->is_given && *answer->key);
}

TEST_F(KeyCacheTest, SeesAllKeysAgainNowAndThen) {
    cache_.see_all_soon();
    cache_.see_all_soon();
    EXPECT_EQ(read_all(), 1);
    EXPECT_TRUE(cache_.has_seen("a"));
    clock_.advance(limits::kApiKeysSeenAgain);
    cache_.see_all_soon();
    EXPECT_EQ(read_all(), 1);
}

TEST_F(KeyCacheTest, IdsOfNoKeyPushOutNoKey) {
    ask("a");
    read_all();
    for (std::size_t i = 0; i < limits::kApiKeysCachedMax; ++i) {
        ask("none " + std::to_string(i));
        read_all();
    }
    EXPECT_TRUE(cache_.has_seen("a"));
    write({.api_keys = {{.id = "none 0"}}});
    cache_.renew("none 0");
    read_all();
    EXPECT_TRUE(cache_.has_seen("none 0"));
}

TEST_F(KeyCacheTest, PassesFailuresOnAndRemembersNone) {
    for (std::size_t i = 0; i < limits::kWaitingQueriesMax; ++i) {
        ask("filler " + std::to_string(i));
    }
    const auto refused = ask("a");
    ASSERT_TRUE(refused->is_given);
    EXPECT_EQ(refused->key.error().code, ErrorCode::unavailable);
    read_all();
    const auto answer = ask("a");
    read_all();
    EXPECT_TRUE(answer->is_given && answer->key);
}

}  // namespace
}  // namespace millrace::access
