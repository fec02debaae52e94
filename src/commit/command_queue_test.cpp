#include "commit/command_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/limits.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/remove_instances.hpp"
#include "queue/admit_executions.hpp"
#include "support/fake_clock.hpp"
#include "support/instances.hpp"

namespace millrace {
namespace {

CancelInstance cancel_of(std::uint64_t number, std::string workspace = "acme") {
    return {{{Id128::for_instance(kNoon, number)}, {std::move(workspace)}}, ""};
}

class CommandQueueTest : public testing::Test {
protected:
    void submit(CancelInstance command, Lane lane = Lane::request) {
        queue_.submit(
            std::move(command), [](const Result<Instance>&) {}, {}, lane);
    }

    CommandQueue::Taken take() { return queue_.take(clock_.now()); }

    void end(const CommandQueue::Taken& taken) {
        queue_.release(taken.tickets);
        queue_.end_turn(taken.lane);
    }

    static std::vector<std::string> workspaces_of(const std::vector<Ticket>& tickets) {
        std::vector<std::string> workspaces;
        for (const Ticket& ticket : tickets) {
            const Footprint& rows = ticket.command->rows_needed();
            workspaces.push_back(rows.instances.front().workspace_id.value);
        }
        return workspaces;
    }

    FakeClock clock_{kNoon};
    CommandQueue queue_{[] {}, &clock_};
};

TEST_F(CommandQueueTest, NeverGivesOneInstanceToTwoCommitters) {
    for (int n = 0; n < 2; ++n) submit(cancel_of(1));
    const CommandQueue::Taken first = take();
    EXPECT_EQ(first.tickets.size(), 2u) << "one committer may have them together";

    submit(cancel_of(1));
    submit(cancel_of(2));
    EXPECT_EQ(take().tickets.size(), 1u) << "only the other instance is free";
    end(first);
    EXPECT_EQ(take().tickets.size(), 1u);
}

TEST_F(CommandQueueTest, RefusesWhatComesAfterItsClose) {
    queue_.close();
    std::optional<ErrorCode> refusal;
    queue_.submit(cancel_of(1),
                  [&](const Result<Instance>& answer) { refusal = answer.error().code; });
    EXPECT_EQ(refusal, ErrorCode::unavailable);
}

// One that sends more than can be committed is refused before the others find no room.
TEST_F(CommandQueueTest, AWorkspaceMayHaveAsMuchAsItLeavesFree) {
    const auto accepted = [&](const std::string& workspace, std::size_t tries) {
        std::size_t refused = 0;
        for (std::size_t n = 0; n < tries; ++n) {
            queue_.submit(cancel_of(n, workspace),
                          [&](const Result<Instance>& answer) { refused += answer ? 0 : 1; });
        }
        return tries - refused;
    };
    constexpr std::size_t kHalf = limits::kWaitingCommandsMax / 2;
    EXPECT_EQ(accepted("greedy", kHalf + 10), kHalf);
    EXPECT_EQ(accepted("modest", 1'000), 1'000u);
    EXPECT_EQ(accepted("greedy", 1), 0u);
    const CommandQueue::Taken taken = take();
    EXPECT_EQ(accepted("greedy", 1), 0u) << "what is in hand counts, too";
    end(taken);
}

TEST_F(CommandQueueTest, SeveralAtOnceAreRefusedTogether) {
    const auto push = [&](std::size_t count) {
        std::size_t refused = 0;
        std::vector<std::unique_ptr<Command>> commands;
        for (std::size_t n = 0; n < count; ++n) {
            commands.push_back(CommandQueue::make_command(
                cancel_of(n), [&](const Result<Instance>& answer) { refused += answer ? 0 : 1; }));
        }
        queue_.push(std::move(commands));
        return refused;
    };
    constexpr std::size_t kHalf = limits::kWaitingCommandsMax / 2;
    EXPECT_EQ(push(kHalf - 1), 0u);
    EXPECT_EQ(push(3), 3u);
    EXPECT_EQ(queue_.waiting(), kHalf - 1);
}

TEST_F(CommandQueueTest, LeavesDutiesUndoneWhenItIsClosed) {
    submit(cancel_of(1), Lane::background);
    submit(cancel_of(2));
    queue_.close();
    std::size_t done = 0;
    std::size_t left = 0;
    for (int turn = 0; turn < 2; ++turn) {
        const CommandQueue::Taken taken = take();
        done += taken.tickets.size();
        left += taken.late.size();
        end(taken);
    }
    EXPECT_EQ(done, 1u);
    EXPECT_EQ(left, 1u);
}

// An admission shares the lane of requests, for its speed; nobody waits for it either.
TEST_F(CommandQueueTest, LeavesAdmissionsUndoneWhenItIsClosed) {
    queue_.submit(AdmitExecutions{}, [](const Result<AdmittedExecutions>&) {});
    submit(cancel_of(1));
    const CommandQueue::Taken taken = take();
    ASSERT_EQ(taken.tickets.size(), 2u);
    queue_.close(kNoon + 1h);
    const CommandQueue::Closing closing = queue_.closing();
    for (const Ticket& ticket : taken.tickets) {
        const bool is_admission = ticket.command->name() == AdmitExecutions::kName;
        EXPECT_EQ(closing.is_over(ticket, kNoon), is_admission);
    }
    end(taken);
}

TEST_F(CommandQueueTest, WorkspacesTakeTurns) {
    for (std::uint64_t n = 1; n <= 3; ++n) submit(cancel_of(n, "loud"));
    submit(cancel_of(9, "quiet"));
    const std::vector<std::string> order = workspaces_of(take().tickets);
    ASSERT_EQ(order.size(), 4u);
    EXPECT_TRUE(order[0] == "quiet" || order[1] == "quiet") << "it waits for one of the others";
}

// A tenant waits for the batch that others fill and for its own.
TEST_F(CommandQueueTest, BatchesAreSmallerWhileSeveralWorkspacesSendCommands) {
    std::uint64_t last = 0;
    const auto size_of_next = [&](const std::string& workspace) {
        while (queue_.waiting() <= limits::kBatchCommandsMax) submit(cancel_of(++last, workspace));
        const CommandQueue::Taken taken = take();
        end(taken);
        return taken.tickets.size();
    };
    EXPECT_EQ(size_of_next("loud"), limits::kBatchCommandsMax);
    submit(cancel_of(++last, "quiet"));
    size_of_next("loud");
    EXPECT_EQ(size_of_next("loud"), limits::kSharedCommandsMax);
    for (int n = 0; n < 100; ++n) size_of_next("loud");
    EXPECT_EQ(size_of_next("loud"), limits::kBatchCommandsMax) << "it has been alone for a while";
}

// Two workspaces with as many commands each; those of one cost a quarter of a batch.
TEST_F(CommandQueueTest, AWorkspacePaysForTheWorkOfItsCommands) {
    const auto fill = [&] {
        for (std::uint64_t n = 0; n < 200; ++n) {
            submit(cancel_of(1'000 + n, "heavy"));
            submit(cancel_of(2'000 + n, "light"));
        }
    };
    fill();
    CommandQueue::Taken learning = take();
    const std::vector<std::string> of = workspaces_of(learning.tickets);
    for (std::size_t n = 0; n < of.size(); ++n) {
        if (of[n] == "heavy") learning.tickets[n].work = limits::kBatchWorkMax / 4;
    }
    end(learning);

    fill();
    const CommandQueue::Taken taken = take();
    const std::vector<std::string> order = workspaces_of(taken.tickets);
    EXPECT_EQ(std::ranges::count(order, "light"), 200);
    EXPECT_LE(std::ranges::count(order, "heavy"), 4) << "no more than a batch can decide";
}

TEST_F(CommandQueueTest, PutsBackInOrder) {
    for (std::uint64_t n = 1; n <= 4; ++n) submit(cancel_of(n));
    CommandQueue::Taken taken = take();
    const std::vector<Id128> before = taken.tickets[1].holds;
    std::vector<Ticket> rest(std::make_move_iterator(taken.tickets.begin() + 1),
                             std::make_move_iterator(taken.tickets.end()));
    taken.tickets.resize(1);
    queue_.put_back(std::move(rest));
    submit(cancel_of(5));
    const CommandQueue::Taken again = take();
    ASSERT_EQ(again.tickets.size(), 4u);
    EXPECT_EQ(again.tickets[0].holds, before);
    EXPECT_EQ(again.tickets[3].holds, std::vector<Id128>{Id128::for_instance(kNoon, 5)});
    end(taken);
}

TEST_F(CommandQueueTest, BackgroundNeverSharesABatchAndLeavesACommitterToRequests) {
    submit(cancel_of(1), Lane::background);
    submit(cancel_of(2));
    submit(cancel_of(3), Lane::background);
    const CommandQueue::Taken first = take();
    EXPECT_EQ(first.lane, Lane::background);
    EXPECT_EQ(first.tickets.size(), 2u);
    submit(cancel_of(4), Lane::background);
    const CommandQueue::Taken second = take();
    EXPECT_EQ(second.lane, Lane::request);
    EXPECT_TRUE(take().tickets.empty()) << "one batch of it at a time";
    end(first);
    EXPECT_EQ(take().lane, Lane::background);
    end(second);
}

TEST_F(CommandQueueTest, RequestsAndBackgroundTakeTurnsOnOneCommitter) {
    for (std::uint64_t n = 0; n < 2 * limits::kDutyCommandsMax; ++n) {
        submit(cancel_of(100 + n), Lane::background);
    }
    for (std::uint64_t n = 0; n < 2; ++n) submit(cancel_of(n));
    const CommandQueue::Taken first = take();
    EXPECT_EQ(first.lane, Lane::background);
    EXPECT_EQ(first.tickets.size(), limits::kDutyCommandsMax);
    end(first);
    const CommandQueue::Taken second = take();
    EXPECT_EQ(second.lane, Lane::request);
    end(second);
    EXPECT_EQ(take().lane, Lane::background);
}

TEST_F(CommandQueueTest, ABulkyCommandHasABatchForItself) {
    submit(cancel_of(1), Lane::background);
    queue_.submit_duty(RemoveInstances{.instances = {cancel_of(2).instance}},
                       [](const Result<RemovedInstances>&) {});
    submit(cancel_of(3), Lane::background);
    for (int n = 0; n < 3; ++n) {
        const CommandQueue::Taken taken = take();
        EXPECT_EQ(taken.tickets.size(), 1u) << n;
        end(taken);
    }
}

TEST_F(CommandQueueTest, TellsThoseWhoHaveWaitedForTooLong) {
    submit(cancel_of(1));
    clock_.advance(limits::kCommandPatience / 2);
    submit(cancel_of(2));
    clock_.advance(limits::kCommandPatience / 2);
    const CommandQueue::Taken taken = take();
    EXPECT_EQ(taken.late.size(), 1u);
    EXPECT_EQ(taken.tickets.size(), 1u);
}

TEST_F(CommandQueueTest, NothingIsTriedAfterTheTimeToStop) {
    submit(cancel_of(1));
    queue_.close(kNoon + 1s);
    clock_.advance(1s);
    const CommandQueue::Taken taken = take();
    EXPECT_TRUE(taken.tickets.empty());
    EXPECT_EQ(taken.late.size(), 1u);
}

// A command on the same instance must not overtake one that waits for a foreign lock.
TEST_F(CommandQueueTest, WhatIsParkedKeepsItsPlace) {
    submit(cancel_of(1));
    CommandQueue::Taken taken = take();
    queue_.park_locked(std::move(taken.tickets), kNoon + 1s);
    queue_.end_turn(taken.lane);
    submit(cancel_of(1));
    EXPECT_TRUE(take().tickets.empty());
    EXPECT_EQ(queue_.next_at(), kNoon + 1s);
    clock_.advance(1s);
    const CommandQueue::Taken again = take();
    EXPECT_EQ(again.lane, Lane::locked);
    EXPECT_EQ(again.tickets.size(), 1u);
    end(again);
    EXPECT_EQ(take().tickets.size(), 1u) << "and now the other";
}

// Its row is free: it has nothing to wait for. Found by reading.
TEST_F(CommandQueueTest, WhatWasPutBackGoesBeforeALaterOneThatIsParked) {
    for (const Lane parked : {Lane::locked, Lane::alone}) {
        submit(cancel_of(1));
        submit(cancel_of(1));
        CommandQueue::Taken both = take();
        ASSERT_EQ(both.tickets.size(), 2u);
        const std::uint64_t earlier = both.tickets[0].number;
        std::vector<Ticket> later;
        later.push_back(std::move(both.tickets[1]));
        both.tickets.pop_back();
        if (parked == Lane::locked) queue_.park_locked(std::move(later), kNoon);
        if (parked == Lane::alone) queue_.put_alone(std::move(later));
        queue_.put_back(std::move(both.tickets));
        queue_.end_turn(both.lane);
        EXPECT_NE(queue_.next_at(), kNoon) << "it would be asked for again and again";

        submit(cancel_of(1));
        const CommandQueue::Taken first = take();
        ASSERT_EQ(first.tickets.size(), 1u);
        EXPECT_EQ(first.tickets[0].number, earlier);
        EXPECT_TRUE(take().tickets.empty()) << "its instance is in hand";
        end(first);
        const CommandQueue::Taken second = take();
        ASSERT_EQ(second.tickets.size(), 1u);
        EXPECT_EQ(second.lane, parked);
        end(second);
        const CommandQueue::Taken third = take();
        EXPECT_EQ(third.tickets.size(), 1u) << "and now the last";
        end(third);
    }
}

TEST_F(CommandQueueTest, WhatIsParkedBehindAnotherIsAnsweredAtItsDeadline) {
    submit(cancel_of(1));
    submit(cancel_of(1));
    CommandQueue::Taken both = take();
    std::vector<Ticket> later;
    later.push_back(std::move(both.tickets[1]));
    both.tickets.pop_back();
    queue_.park_locked(std::move(later), kNoon);
    EXPECT_EQ(queue_.next_at(), kNoon + limits::kCommandPatience);
    clock_.advance(limits::kCommandPatience);
    EXPECT_EQ(take().late.size(), 1u) << "although the other one is still in hand";
    end(both);
}

// Else the others would ask again and again for what they may not take.
TEST_F(CommandQueueTest, WhatIsParkedIsNobodysConcernWhileAnotherHasItsLane) {
    submit(cancel_of(1));
    submit(cancel_of(2));
    CommandQueue::Taken both = take();
    ASSERT_EQ(both.tickets.size(), 2u);
    queue_.park_locked(std::move(both.tickets), kNoon);
    queue_.end_turn(both.lane);
    EXPECT_EQ(queue_.next_at(), kNoon);
    submit(cancel_of(3), Lane::background);
    const CommandQueue::Taken special = take();
    ASSERT_NE(special.lane, Lane::request);
    EXPECT_FALSE(queue_.next_at());
    end(special);
}

TEST_F(CommandQueueTest, WhatWasParkedComesBackInBatches) {
    const std::size_t count = limits::kDutyCommandsMax + 50;
    for (std::size_t n = 0; n < count; ++n) submit(cancel_of(n));
    CommandQueue::Taken all = take();
    ASSERT_EQ(all.tickets.size(), count);
    queue_.park_locked(std::move(all.tickets), kNoon);
    queue_.end_turn(all.lane);
    const CommandQueue::Taken first = take();
    EXPECT_EQ(first.tickets.size(), limits::kDutyCommandsMax);
    end(first);
    EXPECT_EQ(take().tickets.size(), 50u);
}

// A committer that is alone takes turns between lanes; a turn that nobody can use goes on.
TEST_F(CommandQueueTest, RequestsThatWaitForAnotherLaneDoNotStopIt) {
    submit(cancel_of(1));
    submit(cancel_of(2));
    CommandQueue::Taken slow = take();
    queue_.put_alone(std::move(slow.tickets));
    queue_.end_turn(slow.lane);
    submit(cancel_of(2));
    const CommandQueue::Taken first = take();
    ASSERT_EQ(first.lane, Lane::alone);
    end(first);
    const CommandQueue::Taken second = take();
    EXPECT_EQ(second.lane, Lane::alone);
    EXPECT_EQ(second.tickets.size(), 1u);
    end(second);
    EXPECT_EQ(take().tickets.size(), 1u);
}

TEST(CommandQueueWakes, WhenSomethingIsPutBack) {
    int wakes = 0;
    CommandQueue queue([&] { wakes += 1; });
    queue.submit(cancel_of(1), [](const Result<Instance>&) {});
    CommandQueue::Taken taken = queue.take(kNoon);
    EXPECT_EQ(std::exchange(wakes, 0), 1);
    queue.put_back(std::move(taken.tickets));
    EXPECT_EQ(wakes, 1);
}

}  // namespace
}  // namespace millrace
