// Goal: whatever the store does to any one call of a process, or to some in a row, every execution
// ends as it should, with one run, no limit is exceeded at any moment, and no slot is left behind.
// Method: a story of executions that run here, and one of executions that run elsewhere, where
// starts succeed, are refused, reach nobody and get lost. Each is told again and again, with the
// fault at the first call, at the second, until no call is left to fail.

#include <gtest/gtest.h>

#include "simulation/queue_story.hpp"
#include "store_conformance/world.hpp"
#include "support/faulty_database.hpp"

namespace millrace {
namespace {

constexpr int kSecondsMax = 600;

struct FaultCase {
    Candidate store{};
    bool is_remote = false;
    Fault fault = Fault::refused;
    int count = 1;
    int stride = 1;        // From one call that fails to the next one that does.
    bool is_read = false;  // Reads of the loops fail, in place of what commits.
};

class QueueFaults : public testing::TestWithParam<FaultCase> {
protected:
    // One telling. False when the story was over before its fault.
    bool tell(FaultPlan plan, int number) {
        // One in memory costs nothing to make, and reads slow down with all that was told in it.
        if (GetParam().store.make == make_memory_world) world_ = GetParam().store.make();
        FaultPlan none;
        FaultyDatabase faulty(world_->database(), GetParam().is_read ? none : plan);
        QueueStory story(world_->database(), clock_, number,
                         GetParam().is_remote ? remote_parts() : native_parts());
        if (GetParam().is_remote) script(story.cluster());
        RemoteNode process(faulty, clock_, story.executors(), {.owner = kOwner, .tracked_max = 3});
        const auto is_due = [&plan] {
            return plan.is_due();
        };
        if (GetParam().is_read) process.fails_to_read = is_due;
        for (int second = 0; second < kSecondsMax && !story.is_over(); ++second) {
            story.pass_second(process);
            if (HasFailure()) return false;
        }
        story.check();
        return plan.calls >= plan.first;
    }

    static void script(ScriptedCluster& cluster) {
        const StartAnswer lost{.outcome = StartOutcome::unknown, .code = "UNAVAILABLE"};
        cluster.next_starts = {
            {.answer = lost, .happens = true},
            {.answer = lost},
            {.answer = {.outcome = StartOutcome::refused, .code = "INTERNAL"}},
            {.answer = {.outcome = StartOutcome::unreachable, .code = "UNAVAILABLE"}},
        };
    }

    FakeClock clock_{kNoon};
    std::unique_ptr<World> world_ = GetParam().store.make();
};

TEST_P(QueueFaults, AnyCallMayFail) {
    const FaultCase& faults = GetParam();
    // Where not every call fails, other ones do for each kind of fault.
    int first = faults.stride == 1 ? 1 : 1 + static_cast<int>(faults.fault);
    int number = 0;
    bool has_met_fault = true;
    for (; has_met_fault; first += faults.stride) {
        SCOPED_TRACE("fault from call " + std::to_string(first));
        has_met_fault =
            tell({.fault = faults.fault, .first = first, .count = faults.count}, ++number);
        if (HasFailure()) return;
    }
    RecordProperty("calls", first);
    EXPECT_GT(first, 60) << "the story has become too small to mean anything";
}

std::string case_name(const testing::TestParamInfo<FaultCase>& info) {
    constexpr const char* kNames[] = {"Refused", "ReplyLost", "CommitLost"};
    return std::string(info.param.store.name) + (info.param.is_remote ? "Remote" : "Native") +
           (info.param.is_read ? "Read" : "") + kNames[static_cast<int>(info.param.fault)] +
           std::to_string(info.param.count);
}

// In memory every call fails, once and in a row: two are what a committer meets when it asks what
// became of a commit, twelve are more than it takes. What a real database adds is how its own
// transactions end, and that is the same for many calls: there some of them are enough, and a
// telling costs up to a second.
std::vector<FaultCase> cases() {
    constexpr Fault kFaults[] = {Fault::refused, Fault::reply_lost, Fault::commit_lost};
    const auto [memory, sqlite, postgres] = kCandidates;
    std::vector<FaultCase> all;
    for (const bool is_remote : {false, true}) {
        // Reads have no effect: to lose one is to be late.
        all.push_back({memory, is_remote, Fault::refused, 1, 1, true});
        all.push_back({memory, is_remote, Fault::refused, 12, 1, true});
        for (const Fault fault : kFaults) {
            for (const int count : {1, 2, 12}) all.push_back({memory, is_remote, fault, count});
            all.push_back({sqlite, is_remote, fault, 1, 5});
            all.push_back({postgres, is_remote, fault, 1, 30});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, QueueFaults, testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace millrace
