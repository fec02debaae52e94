#include "queue/purge_dead_letter.hpp"

#include "queue/complete_execution.hpp"
#include "queue/dismiss_dead_letter.hpp"
#include "queue/redrive_execution.hpp"
#include "queue/retry_execution.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class PurgeDeadLetterTest : public QueueTest {
protected:
    ExecutionKey failed() {
        const ExecutionKey key = enqueue("remote").key;
        EXPECT_TRUE(node_.run(CompleteExecution{.key = key, .end = QueueStatus::failed}));
        return key;
    }

    ErrorCode refusal(const ExecutionKey& key) {
        const auto purged = node_.run(PurgeDeadLetter{key});
        EXPECT_FALSE(purged);
        return purged ? ErrorCode::internal : purged.error().code;
    }
};

TEST_F(PurgeDeadLetterTest, RemovesItForGood) {
    const ExecutionKey key = failed();
    const auto purged = node_.run(PurgeDeadLetter{key});
    ASSERT_TRUE(purged);
    EXPECT_EQ(purged->key, key);
    EXPECT_FALSE(read(GetExecution{key.id, std::nullopt}, node_.reader()));
    EXPECT_EQ(refusal(key), ErrorCode::not_found) << "again";
}

TEST_F(PurgeDeadLetterTest, LeavesEverythingElseAlone) {
    const ExecutionKey open = enqueue("remote").key;
    const ExecutionKey dismissed = failed();
    EXPECT_TRUE(node_.run(DismissDeadLetter{dismissed}));
    const ExecutionKey retried = failed();
    EXPECT_TRUE(node_.run(RetryExecution{.key = retried, .new_id = next_key().id}));
    const ExecutionKey completed = enqueue("remote").key;
    EXPECT_TRUE(node_.run(CompleteExecution{.key = completed}));
    for (const ExecutionKey& key : {open, dismissed, retried, completed}) {
        EXPECT_EQ(refusal(key), ErrorCode::conflict);
        EXPECT_EQ(execution(key).key, key) << "it is still there";
    }
}

}  // namespace
}  // namespace millrace
