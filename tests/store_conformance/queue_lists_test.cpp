// The definition of QueueReader, first part: lists of executions, dead letters and their groups.

#include "core/limits.hpp"
#include "store_conformance/store_test.hpp"
#include "support/stored_executions.hpp"

namespace millrace {
namespace {

using Numbers = std::vector<std::uint64_t>;

class QueueListConformance : public StoreTest {
protected:
    static Numbers numbers(const std::vector<Execution>& executions) {
        Numbers numbers;
        for (const Execution& each : executions) {
            std::uint64_t n = 0;
            while (execution_key(n).id != each.key.id && n < 100'000) ++n;
            numbers.push_back(n);
        }
        return numbers;
    }

    Numbers list(const ExecutionFilter& filter, const Page& page = {}) {
        const auto found = reader_->executions(filter, page);
        EXPECT_TRUE(found) << found.error().detail;
        return found ? numbers(found->items) : Numbers{};
    }

    std::vector<DeadLetterGroup> groups(std::int32_t count_max = 100) {
        const auto found = reader_->dead_letter_groups(kWorkspace, count_max);
        EXPECT_TRUE(found) << found.error().detail;
        return found ? *found : std::vector<DeadLetterGroup>{};
    }
};

TEST_P(QueueListConformance, FiltersExecutions) {
    Execution other_definition = pending_execution(2);
    other_definition.definition.id = "invoice";
    Execution keyed = claimed_execution(3);
    keyed.concurrency_key = "k";
    Execution requested = dispatched_execution(4);
    requested.requested_by = "ops";
    Execution dismissed = failed_execution(6);
    dismissed.dismissed_at = kNoon;
    Execution retried = failed_execution(7, failure::kTimedOut);
    retried.retried_by = execution_key(8).id;
    ASSERT_TRUE(
        write({.executions_new = {
                   enqueued(pending_execution(1)), enqueued(other_definition), enqueued(keyed),
                   enqueued(requested), enqueued(failed_execution(5)), enqueued(dismissed),
                   enqueued(retried), enqueued(execution_in(QueueStatus::completed, 8)),
                   enqueued(execution_in(QueueStatus::cancelled, 9)),
                   enqueued(moved_away(pending_execution(10)))}}));
    struct Row {
        const char* name;
        ExecutionFilter filter;
        Numbers expected;  // The oldest first.
    };
    using enum QueueStatus;
    const Row rows[] = {
        {"all", {}, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
        {"pending", {.statuses = {pending}}, {1, 2}},
        {"claimed", {.statuses = {claimed}}, {3}},
        {"dispatched", {.statuses = {dispatched}}, {4}},
        {"completed", {.statuses = {completed}}, {8}},
        {"failed", {.statuses = {failed}}, {5, 6, 7}},
        {"cancelled", {.statuses = {cancelled}}, {9}},
        {"two statuses", {.statuses = {cancelled, claimed}}, {3, 9}},
        {"many statuses", {.statuses = {failed, pending, dispatched}}, {1, 2, 4, 5, 6, 7}},
        {"a status twice", {.statuses = {claimed, claimed}}, {3}},
        {"a definition", {.definition_id = "invoice"}, {2}},
        {"a definition and a status", {.statuses = {failed}, .definition_id = "order"}, {5, 6, 7}},
        {"a definition that is not", {.definition_id = "nothing"}, {}},
        {"a key", {.concurrency_key = "k"}, {3}},
        {"a key of another status", {.statuses = {pending}, .concurrency_key = "k"}, {}},
        {"a reason", {.error_reason = "TIMED_OUT"}, {7}},
        {"a requester", {.requested_by = "ops"}, {4}},
        {"from then on", {.created_from = kNoon + 8s}, {8, 9}},
        {"before then", {.created_before = kNoon + 3s}, {1, 2}},
        {"between", {.created_from = kNoon + 2s, .created_before = kNoon + 4s}, {2, 3}},
        {"dead letters", {.only_dead_letters = true}, {5}},
        {"dead letters of a status", {.statuses = {completed}, .only_dead_letters = true}, {}},
        {"dead letters of a definition",
         {.definition_id = "order", .only_dead_letters = true},
         {5}},
        {"dead letters of a reason", {.error_reason = "TIMED_OUT", .only_dead_letters = true}, {}},
        {"everything at once",
         {.statuses = {claimed, failed},
          .definition_id = "order",
          .concurrency_key = "k",
          .created_from = kNoon,
          .created_before = kNoon + 1h},
         {3}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        ExecutionFilter filter = row.filter;
        filter.workspace_id = kWorkspace;
        filter.oldest_first = true;
        EXPECT_EQ(list(filter), row.expected);
        Numbers newest_first = row.expected;
        std::ranges::reverse(newest_first);
        filter.oldest_first = false;
        EXPECT_EQ(list(filter), newest_first);
        const auto found = *reader_->executions(filter, {.size = 1});
        EXPECT_EQ(found.total, std::ssize(row.expected));
        EXPECT_FALSE(found.total_capped);
        EXPECT_EQ(found.has_more, row.expected.size() > 1);
    }
}

TEST_P(QueueListConformance, ListsExecutionsInPages) {
    Writes writes;
    for (std::uint64_t n = 1; n <= 7; ++n) {
        // Of several statuses, which a store may have to put together.
        const Execution row = n % 3 == 0   ? claimed_execution(n)
                              : n % 2 == 0 ? failed_execution(n)
                                           : pending_execution(n);
        writes.executions_new.push_back(enqueued(row));
    }
    ASSERT_TRUE(write(writes));
    const auto after = [](std::uint64_t n, std::int32_t size) {
        return Page{.size = size, .after = to_string(execution_key(n).id.value)};
    };
    struct Row {
        bool oldest_first;
        Page page;
        Numbers expected;
        bool has_more;
    };
    const Row rows[] = {
        {false, {}, {7, 6, 5, 4, 3, 2, 1}, false},
        {false, {.size = 3}, {7, 6, 5}, true},
        {false, {.number = 1, .size = 3}, {4, 3, 2}, true},
        {false, {.number = 2, .size = 3}, {1}, false},
        {false, {.number = 3, .size = 3}, {}, false},
        {false, {.size = 7}, {7, 6, 5, 4, 3, 2, 1}, false},
        {false, after(5, 3), {4, 3, 2}, true},
        {false, after(4, 3), {3, 2, 1}, false},
        {false, after(1, 3), {}, false},
        {true, {.size = 3}, {1, 2, 3}, true},
        {true, {.number = 1, .size = 4}, {5, 6, 7}, false},
        {true, after(3, 2), {4, 5}, true},
        {true, after(7, 2), {}, false},
    };
    for (const Row& row : rows) {
        const auto found = *reader_->executions(
            {.workspace_id = kWorkspace, .oldest_first = row.oldest_first}, row.page);
        EXPECT_EQ(numbers(found.items), row.expected);
        EXPECT_EQ(found.has_more, row.has_more);
        EXPECT_EQ(found.total, 7);
    }
    EXPECT_EQ(code_of(reader_->executions({.workspace_id = kWorkspace}, {.after = "x"})),
              ErrorCode::invalid_argument);
}

TEST_P(QueueListConformance, CountsDeadLetters) {
    Execution dismissed = failed_execution(2);
    dismissed.dismissed_at = kNoon;
    Execution retried = failed_execution(3);
    retried.retried_by = execution_key(8).id;
    ASSERT_TRUE(write({.executions_new = {enqueued(failed_execution(1)), enqueued(dismissed),
                                          enqueued(retried), enqueued(failed_execution(4)),
                                          enqueued(moved_away(failed_execution(5))),
                                          enqueued(execution_in(QueueStatus::cancelled, 6)),
                                          enqueued(claimed_execution(7))}}));
    EXPECT_EQ(*reader_->dead_letters(kWorkspace), 2);
    EXPECT_EQ(*reader_->dead_letters(kOtherWorkspace), 1);
    EXPECT_EQ(*reader_->dead_letters({"unknown"}), 0);
    EXPECT_EQ(*reader_->dead_letters({}), 3) << "of all workspaces";

    dismissed.dismissed_at.reset();
    ASSERT_TRUE(
        write({.executions_changed = {dismissed, *redriven(failed_execution(1), kNoon)},
               .executions_ended = {
                   {.key = execution_key(7), .queue_status = QueueStatus::failed, .at = kNoon}}}));
    EXPECT_EQ(*reader_->dead_letters(kWorkspace), 3);
    EXPECT_EQ(list({.workspace_id = kWorkspace, .only_dead_letters = true}), (Numbers{7, 4, 2}));
}

TEST_P(QueueListConformance, GroupsDeadLettersThatLookAlike) {
    EXPECT_TRUE(groups().empty());
    Execution other_definition = failed_execution(6, "START_FAILED", "No order 6.");
    other_definition.definition.id = "invoice";
    Execution dismissed = failed_execution(7, "START_FAILED", "No order 7.");
    dismissed.dismissed_at = kNoon;
    ASSERT_TRUE(
        write({.executions_new = {enqueued(failed_execution(1, "START_FAILED", "No order 1.")),
                                  enqueued(failed_execution(2, "TIMED_OUT", "No order 2.")),
                                  enqueued(failed_execution(3, "START_FAILED", "No order 30.")),
                                  enqueued(failed_execution(4, "START_FAILED", "No 'order'.")),
                                  enqueued(failed_execution(5, "START_FAILED", "No order 5.")),
                                  enqueued(other_definition), enqueued(dismissed),
                                  enqueued(failed_execution(8, "START_FAILED", "No 'x y'.")),
                                  enqueued(moved_away(failed_execution(9, "TIMED_OUT", ""))),
                                  enqueued(dispatched_execution(10))}}));
    const auto at = [](std::uint64_t n) {
        return *failed_execution(n).completed_at;
    };
    const std::vector<DeadLetterGroup> expected{
        {"order", "START_FAILED", "No order 5.", 3, at(1), at(5), execution_key(5).id},
        {"order", "START_FAILED", "No 'x y'.", 2, at(4), at(8), execution_key(8).id},
        {"invoice", "START_FAILED", "No order 6.", 1, at(6), at(6), execution_key(6).id},
        {"order", "TIMED_OUT", "No order 2.", 1, at(2), at(2), execution_key(2).id},
    };
    EXPECT_EQ(groups(), expected);
    EXPECT_EQ(groups(2), (std::vector{expected[0], expected[1]}));
    EXPECT_TRUE(groups(0).empty());

    // What ends without a look joins them, and a message of many pages is no more than another.
    const std::string pages(limits::kMessageBytesMax, 'x');
    ASSERT_TRUE(write({.executions_new = {enqueued(failed_execution(11, "TIMED_OUT", pages))},
                       .executions_changed = {failed_execution(2, "START_FAILED", "No order 2.")},
                       .executions_ended = {{.key = execution_key(10),
                                             .queue_status = QueueStatus::failed,
                                             .reason = "START_FAILED",
                                             .message = "No order 10.",
                                             .at = kNoon + 1h}}}));
    const auto now = groups();
    ASSERT_EQ(now.size(), 4u);
    EXPECT_EQ(now[0], (DeadLetterGroup{"order", "START_FAILED", "No order 10.", 5, at(1),
                                       kNoon + 1h, execution_key(10).id}));
    EXPECT_EQ(now[2].message, pages);
}

TEST_P(QueueListConformance, GroupsThoseWithoutAMessage) {
    ASSERT_TRUE(write({.executions_new = {enqueued(failed_execution(1, "TIMED_OUT", "")),
                                          enqueued(failed_execution(2, "TIMED_OUT", ""))}}));
    const auto found = groups();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 2);
    EXPECT_EQ(found[0].message, "");
}

TEST_P(QueueListConformance, FindsTheEndsOfADefinition) {
    Execution other_definition = failed_execution(4);
    other_definition.definition.id = "invoice";
    ASSERT_TRUE(
        write({.executions_new = {
                   enqueued(failed_execution(1)), enqueued(execution_in(QueueStatus::completed, 2)),
                   enqueued(pending_execution(3)), enqueued(other_definition),
                   enqueued(dispatched_execution(5)), enqueued(moved_away(failed_execution(6))),
                   enqueued(execution_in(QueueStatus::cancelled, 7))}}));
    struct Row {
        std::uint64_t after;
        std::uint64_t before;
        std::int32_t count_max;
        Numbers expected;
    };
    const Row rows[] = {
        {0, 100, 100, {1, 2, 3, 5, 7}},
        {1, 7, 100, {2, 3, 5}},
        {0, 100, 2, {1, 2}},
        {2, 100, 2, {3, 5}},
        {7, 100, 100, {}},
    };
    for (const Row& row : rows) {
        const auto found =
            *reader_->execution_ends(kWorkspace, "order", execution_key(row.after).id,
                                     execution_key(row.before).id, row.count_max);
        EXPECT_EQ(numbers(found), row.expected);
        if (!found.empty() && row.after == 0) {
            EXPECT_EQ(found[0], failed_execution(1));
        }
    }
}

// Goal: no call counts further than anybody reads.
TEST_P(QueueListConformance, CountsToABound) {
    constexpr std::uint64_t kCount = limits::kTotalExactMax + 1;
    for (std::uint64_t n = 0; n < kCount;) {
        Writes writes;
        for (int i = 0; i < 2'000 && n < kCount; ++i) {
            writes.executions_new.push_back(enqueued(pending_execution(++n)));
        }
        if (n == kCount) writes.workspaces.push_back(workspace_named("acme"));
        ASSERT_TRUE(write(writes));
    }
    const auto found = *reader_->executions({.workspace_id = kWorkspace}, {.size = 1});
    EXPECT_EQ(found.total, limits::kTotalExactMax);
    EXPECT_TRUE(found.total_capped);

    QueueCounts counts = (*reader_->queue(kWorkspace))->counts;
    EXPECT_EQ(counts.ready, limits::kTotalExactMax);
    EXPECT_TRUE(counts.is_capped);
    EXPECT_EQ(*reader_->position(pending_execution(kCount + 1)),
              (QueuePosition{.before = limits::kTotalExactMax, .is_capped = true}));

    ASSERT_TRUE(write({.executions_removed = {execution_key(1)}}));
    counts = (*reader_->queue(kWorkspace))->counts;
    EXPECT_EQ(counts.ready, limits::kTotalExactMax);
    EXPECT_FALSE(counts.is_capped);
    EXPECT_FALSE(reader_->position(pending_execution(kCount + 1))->is_capped);
}

MILLRACE_FOR_ALL_STORES(QueueListConformance);

}  // namespace
}  // namespace millrace
