#include <gtest/gtest.h>

#include "store/postgres/postgres_database.hpp"
#include "support/cutting_proxy.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_server.hpp"

namespace millrace {
namespace {

// Goal: after a connection was lost at COMMIT, resolve() tells what the server really has.
// Method: a proxy cuts the connection at the very COMMIT; a second connection looks.
class PostgresCommitDoubtTest : public testing::Test {
protected:
    PostgresCommitDoubtTest()
        : proxy_(schema_.socket_path()),
          direct_({.target = schema_.target()}),
          cut_({.target = schema_.target_at_port(proxy_.port()), .lock_timeout = 300ms}) {
        EXPECT_TRUE(direct_.migrate());
        store_ = cut_.batch_store();
    }

    // Starts instance 1 over a connection that is cut.
    void start_in_doubt(Cut cut) {
        proxy_.arm(cut);
        ASSERT_EQ(code_of(write(*store_, starts(1, 1))), ErrorCode::commit_unknown);
    }

    bool has_instance() { return (*direct_.reader()->instance(instance_key(1))).has_value(); }

    // While the server is still busy with the batch, the question is put again.
    Result<CommitOutcome> answer_in_the_end() {
        for (int tries = 1; tries < 20; ++tries) {
            if (const Result<CommitOutcome> answer = store_->resolve()) return answer;
        }
        return store_->resolve();
    }

    void expect_outcome(CommitOutcome outcome) {
        const Result<CommitOutcome> answer = answer_in_the_end();
        ASSERT_TRUE(answer) << answer.error().detail;
        EXPECT_EQ(*answer, outcome);
        EXPECT_EQ(has_instance(), outcome == CommitOutcome::committed);
        EXPECT_TRUE(write(*store_, starts(2, 2))) << "the store goes on";
    }

    PostgresSchema schema_;
    CuttingProxy proxy_;
    PostgresDatabase direct_;
    PostgresDatabase cut_;
    std::unique_ptr<BatchStore> store_;
};

TEST_F(PostgresCommitDoubtTest, ACommitThatNeverArrivedIsAborted) {
    start_in_doubt(Cut::before_commit);
    expect_outcome(CommitOutcome::aborted);
}

TEST_F(PostgresCommitDoubtTest, ACommitWhoseReplyWasLostIsCommitted) {
    start_in_doubt(Cut::before_reply);
    expect_outcome(CommitOutcome::committed);
}

TEST_F(PostgresCommitDoubtTest, ABackendThatWaitsForALostClientIsEnded) {
    start_in_doubt(Cut::before_commit_half_open);
    expect_outcome(CommitOutcome::aborted);
}

TEST_F(PostgresCommitDoubtTest, ALostReplyToTheQuestionDoesNotChangeTheAnswer) {
    start_in_doubt(Cut::before_commit);
    proxy_.arm(Cut::before_reply);
    EXPECT_EQ(code_of(store_->resolve()), ErrorCode::unavailable);
    proxy_.arm(Cut::before_reply);
    EXPECT_EQ(code_of(store_->resolve()), ErrorCode::unavailable);
    expect_outcome(CommitOutcome::aborted);
}

TEST_F(PostgresCommitDoubtTest, ALostReplyToTheQuestionAboutACommittedBatchDoesNotEither) {
    start_in_doubt(Cut::before_reply);
    proxy_.arm(Cut::before_reply);
    EXPECT_EQ(code_of(store_->resolve()), ErrorCode::unavailable);
    expect_outcome(CommitOutcome::committed);
}

// A batch that still waits for a lock when it is given up must not commit later.
TEST_F(PostgresCommitDoubtTest, ABatchThatWasGivenUpCanNoLongerCommit) {
    ASSERT_TRUE(write(*direct_.batch_store(), starts(1, 1)));
    PostgresSession other(schema_.target());
    other.run("BEGIN; LOCK TABLE job IN SHARE MODE");

    ASSERT_TRUE(store_->load(footprint_of(5, 5)));
    proxy_.arm(Cut::after_sending);
    ASSERT_EQ(code_of(store_->apply({.jobs_removed = {job_key(1)}})), ErrorCode::commit_unknown);
    const Result<CommitOutcome> answer = store_->resolve();
    ASSERT_TRUE(answer) << answer.error().detail;
    EXPECT_EQ(*answer, CommitOutcome::aborted);

    other.run("COMMIT; BEGIN; LOCK TABLE job IN ACCESS EXCLUSIVE MODE; COMMIT");
    EXPECT_TRUE((*direct_.reader()->job(job_key(1))).has_value());
}

// As one that waits for a standby: its mark is written, its COMMIT has begun, nobody may end it.
TEST_F(PostgresCommitDoubtTest, WhileACommitIsUnderWayNobodyGuesses) {
    PostgresSession other(schema_.target());
    other.run(
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS "
        "'BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END';"
        "CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON commit_mark DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION wait()");
    other.run("SELECT pg_advisory_lock(4711)");
    start_in_doubt(Cut::after_sending);
    // The server has all of it, but on a busy machine it may not have come to the mark yet, and
    // then the first question would give the batch up, rightly.
    while (other.run("select count(*) from pg_locks where objid = 4711 and not granted") == "0") {
    }
    EXPECT_EQ(code_of(store_->resolve()), ErrorCode::unavailable);
    EXPECT_EQ(code_of(store_->resolve()), ErrorCode::unavailable);
    EXPECT_FALSE(has_instance());

    other.run("SELECT pg_advisory_unlock(4711)");
    expect_outcome(CommitOutcome::committed);
}

TEST_F(PostgresCommitDoubtTest, ABatchWithoutWritesIsNeverInDoubt) {
    ASSERT_TRUE(store_->load(footprint_of(1, 1)));
    proxy_.arm(Cut::before_reply);
    EXPECT_EQ(code_of(store_->apply({})), ErrorCode::unavailable);
}

}  // namespace
}  // namespace millrace
