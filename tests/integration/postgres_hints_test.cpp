#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "store/postgres/postgres_database.hpp"
#include "store_postgres_sql.hpp"
#include "support/postgres_server.hpp"

namespace millrace::postgres {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 30s;

PostgresDatabase replica(const PostgresSchema& schema, std::uint64_t n) {
    return PostgresDatabase({.target = schema.target(), .replica_id = {7, n}});
}

class PostgresHintsTest : public testing::Test {
protected:
    // The first hints that come; empty when none comes in time.
    static std::vector<Hint> heard(HintListener& listener) {
        for (int n = 0; n < 100; ++n) {
            const auto hints = listener.wait(kPatience);
            EXPECT_TRUE(hints);
            if (!hints || !hints->empty()) return hints ? *hints : std::vector<Hint>{};
        }
        return {};
    }

    void begin_to_listen() {
        EXPECT_EQ(heard(*listener_), std::vector<Hint>{{.is_incomplete = true}});
    }

    PostgresSchema schema_;
    PostgresDatabase here_ = replica(schema_, 1);
    PostgresDatabase there_ = replica(schema_, 2);
    std::unique_ptr<HintSender> sender_ = there_.hint_sender();
    std::unique_ptr<HintListener> listener_ = here_.hint_listener();
    const Hint hint_{.waiting = {{{"acme"}, {"charge \"card\""}}}, .api_keys = {"k"}};
};

TEST_F(PostgresHintsTest, AHintReachesAnotherReplica) {
    begin_to_listen();
    ASSERT_TRUE(sender_->send(hint_));
    EXPECT_EQ(heard(*listener_), std::vector{hint_});
}

TEST_F(PostgresHintsTest, AReplicaDoesNotHearItself) {
    begin_to_listen();
    ASSERT_TRUE(here_.hint_sender()->send({.waiting = {{{"acme"}, {"own"}}}}));
    ASSERT_TRUE(sender_->send(hint_));
    EXPECT_EQ(heard(*listener_), std::vector{hint_});
}

TEST_F(PostgresHintsTest, ReplicasOfAnotherSchemaDoNotHearIt) {
    begin_to_listen();
    const PostgresSchema other;
    PostgresDatabase stranger = replica(other, 3);
    ASSERT_TRUE(stranger.hint_sender()->send({.waiting = {{{"acme"}, {"foreign"}}}}));
    ASSERT_TRUE(sender_->send(hint_));
    EXPECT_EQ(heard(*listener_), std::vector{hint_});
}

TEST_F(PostgresHintsTest, ATooLongHintArrivesCutShort) {
    begin_to_listen();
    Hint hint;
    for (int n = 0; n < 1'000; ++n) hint.waiting.push_back({{"acme"}, {std::string(200, 'x')}});
    ASSERT_TRUE(sender_->send(hint));
    const std::vector<Hint> heard_now = heard(*listener_);
    ASSERT_EQ(heard_now.size(), 1u);
    EXPECT_TRUE(heard_now[0].is_incomplete);
    EXPECT_GT(heard_now[0].waiting.size(), 10u);
}

TEST_F(PostgresHintsTest, ALostConnectionIsNoticedAndTheNextOneBeginsIncomplete) {
    begin_to_listen();
    PostgresSession session(schema_.target());
    const std::string_view channel = sql::hint_channel.text;
    session.run(
        "DO $$ BEGIN PERFORM pg_terminate_backend(pid, 30000) FROM pg_stat_activity "
        "WHERE query = 'LISTEN \"' || (" +
        std::string(channel.substr(0, channel.rfind(';'))) + ") || '\"'; END $$");
    // The server's farewell may come alone, before the end of the connection.
    auto lost = listener_->wait(kPatience);
    if (lost && lost->empty()) lost = listener_->wait(kPatience);
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::unavailable);
    begin_to_listen();
    ASSERT_TRUE(sender_->send(hint_));
    EXPECT_EQ(heard(*listener_), std::vector{hint_});
}

TEST_F(PostgresHintsTest, SilenceEndsAfterItsTimeWithNothing) {
    begin_to_listen();
    const auto nothing = listener_->wait(1ms);
    ASSERT_TRUE(nothing);
    EXPECT_TRUE(nothing->empty());
}

TEST_F(PostgresHintsTest, AnInterruptEndsTheWaitUnderWayOrTheNextOne) {
    begin_to_listen();
    listener_->interrupt();
    const auto began = std::chrono::steady_clock::now();
    EXPECT_TRUE(listener_->wait(1h)->empty());
    auto waiting = std::async(std::launch::async, [this] { return listener_->wait(1h)->size(); });
    listener_->interrupt();
    EXPECT_EQ(waiting.get(), 0u);
    EXPECT_LT(std::chrono::steady_clock::now() - began, kPatience);
}

TEST_F(PostgresHintsTest, ListensElsewhereOrNowhereWhenTold) {
    PostgresDatabase elsewhere(
        {.target = "host=/nowhere", .replica_id = {7, 4}, .listen_target = schema_.target()});
    const auto listener = elsewhere.hint_listener();
    ASSERT_TRUE(listener->wait(kPatience));
    ASSERT_TRUE(sender_->send(hint_));
    EXPECT_EQ(heard(*listener), std::vector{hint_});
    PostgresDatabase nowhere({.target = schema_.target(), .can_listen = false});
    EXPECT_EQ(nowhere.hint_listener(), nullptr);
}

}  // namespace
}  // namespace millrace::postgres
