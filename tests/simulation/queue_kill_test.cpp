// Goal: a process may die between any two of its steps or in a commit, whatever it has under way:
// another one goes
// on, every execution has one run and ends as it should, no limit is exceeded at any moment, and no
// slot is left behind.
// Method: one story of executions that run here and elsewhere and share the slots of workspaces.
// The process dies after its first step that did something, then after its second, until the story
// is over before. Another one begins at once, so it finds claims whose leases are not over.

#include <gtest/gtest.h>

#include <limits>

#include "simulation/queue_story.hpp"
#include "store_conformance/world.hpp"
#include "support/faulty_database.hpp"

namespace millrace {
namespace {

constexpr int kSecondsMax = 600;

// What becomes of calls to the cluster whose caller dies.
enum class Calls {
    answered,  // They take no time: the answer is there, and nobody has looked at it.
    lost,      // They never arrive.
    late,      // They arrive, with nobody left to hear the answer.
};

enum class Death {
    between_steps,
    in_commit,  // In a call of the store, and where that is a commit, it takes place.
};

struct KillCase {
    Candidate store{};
    Death death = Death::between_steps;
    Calls calls = Calls::answered;
    int stride = 1;  // From one death to the next.
};

// When the first process of a telling dies.
class Fate {
public:
    Fate(Death death, int moment)
        : death_(death),
          moment_(moment),
          plan_{.fault = Fault::reply_lost,
                .first = death == Death::in_commit ? moment : 0,
                .count = std::numeric_limits<int>::max() - moment} {}

    FaultPlan& plan() { return plan_; }
    bool has_come() const { return (death_ == Death::in_commit ? plan_.calls : steps_) >= moment_; }

    // `trace` grows with everything that a process does or takes on: a step that did nothing leaves
    // nothing that a death could spoil.
    void note_step(std::size_t trace) {
        if (std::exchange(trace_, trace) != trace) steps_ += 1;
    }

private:
    const Death death_;
    const int moment_;
    FaultPlan plan_;
    int steps_ = 0;
    std::size_t trace_ = 0;
};

class QueueKill : public testing::TestWithParam<KillCase> {
protected:
    // One telling. False when the story was over before the death.
    bool tell(int moment, int number) {
        std::vector<Part> parts = native_parts();
        for (Part& part : remote_parts()) parts.push_back(std::move(part));
        QueueStory story(world_->database(), clock_, number, std::move(parts));
        if (GetParam().calls != Calls::answered) story.make_cluster_slow();

        Fate fate(GetParam().death, moment);
        FaultyDatabase mortal(world_->database(), fate.plan());
        std::unique_ptr<RemoteNode> process = begin(mortal, story, "replica-1");
        bool is_dead = false;
        for (int second = 0; second < kSecondsMax && !story.is_over(); ++second) {
            story.pass_second(*process, [&] {
                if (is_dead) return true;
                fate.note_step(trace_of(*process, story));
                return !fate.has_come();
            });
            if (HasFailure()) return false;
            if (is_dead || !fate.has_come()) continue;
            is_dead = true;
            process.reset();
            if (GetParam().calls == Calls::lost) story.lose_calls();
            process = begin(world_->database(), story, "replica-2");
        }
        story.check();
        return is_dead;
    }

    std::unique_ptr<RemoteNode> begin(Database& database, QueueStory& story,
                                      const std::string& owner) {
        return std::make_unique<RemoteNode>(database, clock_, story.executors(),
                                            RemoteSettings{.owner = owner, .tracked_max = 3});
    }

    static std::size_t trace_of(RemoteNode& process, QueueStory& story) {
        const ScriptedCluster& cluster = story.cluster();
        return static_cast<std::size_t>(process.batches()) * 1'000 + cluster.calls_at.size() * 20 +
               static_cast<std::size_t>(cluster.polls) * 20 + process.commands().waiting();
    }

    FakeClock clock_{kNoon};
    std::unique_ptr<World> world_ = GetParam().store.make();
};

TEST_P(QueueKill, AnotherGoesOn) {
    int moment = 1;
    int number = 0;
    for (; tell(moment, ++number); moment += GetParam().stride) {
        if (HasFailure()) break;
    }
    if (HasFailure()) FAIL() << "with a death at moment " << moment;
    RecordProperty("moments", moment);
    EXPECT_GT(moment, 60) << "the story has become too small to mean anything";
}

std::string case_name(const testing::TestParamInfo<KillCase>& info) {
    constexpr const char* kCalls[] = {"Answered", "Lost", "Late"};
    return std::string(info.param.store.name) +
           (info.param.death == Death::in_commit ? "InCommit" : "BetweenSteps") +
           kCalls[static_cast<int>(info.param.calls)];
}

// What a dead process leaves behind is the same in every store, as long as its commits are whole:
// in memory it dies at each moment, in files at some, and where a telling costs a second at few.
std::vector<KillCase> cases() {
    const auto [memory, sqlite, postgres] = kCandidates;
    std::vector<KillCase> all;
    for (const Death death : {Death::between_steps, Death::in_commit}) {
        for (const Calls calls : {Calls::answered, Calls::lost, Calls::late}) {
            all.push_back({memory, death, calls});
        }
        all.push_back({sqlite, death, Calls::late, 3});
        all.push_back({postgres, death, Calls::late, 30});
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, QueueKill, testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace millrace
