#include "queue/list_stale_claims.hpp"

#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class ListStaleClaimsTest : public QueueTest {
protected:
    // CLAIMED from now on, in that workspace.
    ExecutionKey claimed(const WorkspaceId& workspace_id) {
        EnqueueExecution command = enqueueing("remote");
        command.key.workspace_id = workspace_id;
        enqueue(command);
        EXPECT_EQ(admit().claimed.size(), 1U);
        clock_.advance(1s);
        return command.key;
    }

    std::vector<ExecutionKey> found(std::int32_t count_max, Instant before) {
        const auto keys = read(ListStaleClaims{kWorkspace, before, count_max}, node_.reader());
        EXPECT_TRUE(keys) << (keys ? "" : keys.error().detail);
        return keys ? *keys : std::vector<ExecutionKey>{};
    }
};

TEST_F(ListStaleClaimsTest, ThoseOfOthersAreNotInTheWay) {
    const WorkspaceId other{"other"};
    make_workspace(other.value);
    node_.upload(kRemoteDefinition, other);
    for (int i = 0; i < 20; ++i) claimed(other);
    const std::vector<ExecutionKey> own{claimed(kWorkspace), claimed(kWorkspace),
                                        claimed(kWorkspace)};
    EXPECT_EQ(found(2, clock_.now()), std::vector(own.begin(), own.begin() + 2));
    EXPECT_EQ(found(3, clock_.now()), own);
    EXPECT_EQ(found(100, clock_.now()), own);
    EXPECT_EQ(found(100, clock_.now() - 2s), std::vector{own.front()}) << "the rest is younger";
    EXPECT_EQ(found(100, kNoon), std::vector<ExecutionKey>{});
}

TEST_F(ListStaleClaimsTest, AWorkspaceThatIsNotThereIsToldSo) {
    const auto keys = read(ListStaleClaims{{"nowhere"}, kNoon, 1}, node_.reader());
    ASSERT_FALSE(keys);
    EXPECT_EQ(keys.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace millrace
