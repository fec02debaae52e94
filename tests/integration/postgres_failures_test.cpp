#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include "store/postgres/postgres_database.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_server.hpp"

namespace millrace {
namespace {

class PostgresFailuresTest : public testing::Test {
protected:
    PostgresFailuresTest()
        : session_(schema_.target()),
          name_("failing_" + session_.run("SHOW search_path")),
          database_(
              {.target = schema_.target() + "&application_name=" + name_, .lock_timeout = 200ms}) {
        EXPECT_TRUE(database_.migrate());
    }

    // Ends all connections of the store and waits until they are gone.
    void end_backends() {
        session_.run(
            "DO $$ BEGIN PERFORM pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE application_name = '" +
            name_ + "'; END $$");
    }

    PostgresSchema schema_;
    PostgresSession session_;
    const std::string name_;  // By which the connections of the store are found.
    PostgresDatabase database_;
};

TEST_F(PostgresFailuresTest, ABackendThatIsEndedBetweenBatchesCostsOneTry) {
    const auto store = database_.batch_store();
    ASSERT_TRUE(write(*store, starts(1, 1)));
    end_backends();
    EXPECT_EQ(code_of(store->load(footprint_of(1, 1))), ErrorCode::unavailable);
    EXPECT_TRUE(write(*store, starts(2, 2)));
}

TEST_F(PostgresFailuresTest, ABackendThatIsEndedInABatchTakesTheBatchWithIt) {
    const auto store = database_.batch_store();
    ASSERT_TRUE(store->load(footprint_of(1, 1)));
    end_backends();
    EXPECT_EQ(code_of(store->apply(starts(1, 1))), ErrorCode::unavailable);
    EXPECT_FALSE((*database_.reader()->instance(instance_key(1))).has_value());
    EXPECT_TRUE(write(*store, starts(1, 1)));
}

TEST_F(PostgresFailuresTest, ABackendThatIsEndedBeforeAnExtensionTakesTheBatchWithIt) {
    const auto store = database_.batch_store();
    ASSERT_TRUE(store->load(footprint_of(1, 1)));
    end_backends();
    const Footprint more{.step_executions = {step_execution_key(1, 1)}};
    EXPECT_EQ(code_of(store->extend(more)), ErrorCode::unavailable);
    EXPECT_TRUE(write(*store, starts(1, 1)));
}

TEST_F(PostgresFailuresTest, ABatchMayBeAbandonedAfterItsBackendHasEnded) {
    const auto store = database_.batch_store();
    ASSERT_TRUE(store->load(footprint_of(1, 1)));
    end_backends();
    store->abandon();
    EXPECT_TRUE(write(*store, starts(1, 1)));
}

TEST_F(PostgresFailuresTest, ReadersAndClaimersConnectAgain) {
    ASSERT_TRUE(write(*database_.batch_store(), starts(1, 1)));
    const auto reader = database_.reader();
    const auto claimer = database_.job_claimer();
    ASSERT_TRUE(reader->next_timer(Instant{}));
    ASSERT_TRUE(claimer->waiting_types({{"pack"}}));
    end_backends();
    EXPECT_EQ(code_of(reader->next_timer(Instant{})), ErrorCode::unavailable);
    EXPECT_EQ(code_of(claimer->waiting_types({{"pack"}})), ErrorCode::unavailable);
    EXPECT_TRUE(reader->next_timer(Instant{}));
    EXPECT_TRUE(claimer->waiting_types({{"pack"}}));
}

TEST_F(PostgresFailuresTest, WhoCannotConnectIsUnavailable) {
    PostgresDatabase nowhere({.target = "host=/nonexistent dbname=none"});
    EXPECT_EQ(code_of(nowhere.migrate()), ErrorCode::unavailable);
    EXPECT_EQ(code_of(nowhere.batch_store()->load({})), ErrorCode::unavailable);
    EXPECT_EQ(code_of(nowhere.reader()->next_timer(Instant{})), ErrorCode::unavailable);
    EXPECT_EQ(code_of(nowhere.job_claimer()->waiting_types({{"pack"}})), ErrorCode::unavailable);
}

TEST_F(PostgresFailuresTest, ALockThatIsNotToBeHadInTimeIsUnavailable) {
    ASSERT_TRUE(write(*database_.batch_store(), starts(1, 1)));
    const auto holder = database_.batch_store();
    ASSERT_TRUE(holder->load(footprint_of(1, 1)));
    const auto other = database_.batch_store();
    EXPECT_EQ(code_of(other->load(footprint_of(1, 1))), ErrorCode::unavailable);
    EXPECT_TRUE(holder->apply({}));
    EXPECT_TRUE(other->load(footprint_of(1, 1)));
}

// As of a server that is stopped in the middle of a batch, or whose machine is.
TEST_F(PostgresFailuresTest, AFrozenBatchLosesItsLocks) {
    ASSERT_TRUE(write(*database_.batch_store(), starts(1, 1)));
    PostgresDatabase frozen({.target = schema_.target(), .idle_timeout = 300ms});
    const auto holder = frozen.batch_store();
    ASSERT_TRUE(holder->load(footprint_of(1, 1)));
    PostgresDatabase patient({.target = schema_.target(), .lock_timeout = 30s});
    const auto other = patient.batch_store();
    EXPECT_TRUE(other->load(footprint_of(1, 1)));
    EXPECT_TRUE(other->apply({}));
    EXPECT_EQ(code_of(holder->apply({.jobs_removed = {job_key(1)}})), ErrorCode::unavailable);
    EXPECT_TRUE(write(*holder, starts(2, 2)));
}

// A backend that is stopped keeps its connection open and says nothing, for ever.
TEST_F(PostgresFailuresTest, AServerThatSaysNothingIsGivenUp) {
    PostgresDatabase impatient(
        {.target = schema_.target() + "&application_name=" + name_, .answer_patience = 300ms});
    const auto store = impatient.batch_store();
    ASSERT_TRUE(write(*store, starts(1, 1)));
    const pid_t backend =
        std::stoi(session_.run("SELECT pid "
                               "FROM pg_stat_activity WHERE application_name = '" +
                               name_ + "'"));
    ASSERT_EQ(kill(backend, SIGSTOP), 0);
    EXPECT_EQ(code_of(store->load(footprint_of(1, 1))), ErrorCode::unavailable);
    EXPECT_TRUE(write(*store, starts(2, 2)));  // On a new connection.
    EXPECT_EQ(kill(backend, SIGCONT), 0);
}

TEST_F(PostgresFailuresTest, TheReasonIsToldToTheLogAndToNobodyElse) {
    std::vector<std::string> told;
    const auto note = [&told](std::string_view trouble) {
        told.emplace_back(trouble);
    };
    PostgresDatabase nowhere({.target = "host=/nonexistent dbname=none", .on_trouble = note});
    const auto loaded = nowhere.batch_store()->load({});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().detail, "The database cannot be reached.");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("No such file or directory"), std::string::npos) << told[0];
    EXPECT_NE(nowhere.migrate().error().detail.find(told[0]), std::string::npos);
}

TEST_F(PostgresFailuresTest, StatementsNeedNotBePrepared) {
    PostgresDatabase unprepared({.target = schema_.target(), .prepared_statements = false});
    const auto store = unprepared.batch_store();
    ASSERT_TRUE(write(*store, starts(1, 3)));
    const Result<LoadedRows> rows = store->load(footprint_of(1, 3));
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->jobs.size(), 3u);
    EXPECT_TRUE(store->apply({.jobs_removed = {job_key(1)}}));
}

TEST_F(PostgresFailuresTest, TheServersTimeIsToldWithEveryLoad) {
    std::vector<Instant> told;
    PostgresDatabase telling({.target = schema_.target(), .on_server_time = [&told](Instant now) {
                                  told.push_back(now);
                              }});
    const auto store = telling.batch_store();
    ASSERT_TRUE(write(*store, {}));
    ASSERT_TRUE(write(*store, {}));
    ASSERT_EQ(told.size(), 2u);
    EXPECT_LE(told[0], told[1]);
    EXPECT_GT(told[0], Instant(std::chrono::sys_days{std::chrono::year{2024} / 1 / 1}));
}

struct Poison {
    const char* name;
    std::function<void(Writes&)> put;
};

class PostgresPoisonTest : public testing::TestWithParam<Poison> {};

TEST_P(PostgresPoisonTest, IsRefusedAndTheStoreGoesOn) {
    const PostgresSchema schema;
    PostgresDatabase database({.target = schema.target()});
    ASSERT_TRUE(database.migrate());
    const auto store = database.batch_store();
    ASSERT_TRUE(write(*store, starts(7, 7)));

    Writes poisoned = starts(1, 3);
    GetParam().put(poisoned);
    EXPECT_EQ(code_of(write(*store, poisoned)), ErrorCode::data_refused);
    EXPECT_FALSE((*database.reader()->instance(instance_key(1))).has_value());
    EXPECT_TRUE(write(*store, starts(1, 3)));
}

const Poison kPoisons[] = {
    {"AZeroByteInVariables",
     [](Writes& w) {
         w.instances_new[1].variables = Variables::from_text(std::string("{\"a\":\"\0\"}", 9));
     }},
    {"AZeroByteInAName",
     [](Writes& w) {
         w.jobs_new[1].step_id = std::string("a\0b", 3);
     }},
    {"BadUtf8",
     [](Writes& w) {
         w.jobs_new[1].step_id = "\xC3\x28";
     }},
    {"ATimeTooEarly",
     [](Writes& w) {
         w.jobs_new[0].created_at = Instant::min() + Duration(1);
     }},
    {"AKeyThatIsThereAlready",
     [](Writes& w) {
         w.jobs_new[0].key = job_key(7);
     }},
    {"ANameTooLongForAnIndex",
     [](Writes& w) {
         for (int i = 0; i < 2'000; ++i) w.jobs_new[0].job_type.value += std::to_string(i * 7919);
     }},
};

INSTANTIATE_TEST_SUITE_P(Values, PostgresPoisonTest, testing::ValuesIn(kPoisons),
                         [](const auto& value) { return std::string(value.param.name); });

}  // namespace
}  // namespace millrace
