// Commands of one instance that meet in one batch: what each does has to fit to what those before
// it have only decided. Every test here runs on every store.

#include <gtest/gtest.h>

#include "engine/change_variables.hpp"
#include "engine/fire_timer.hpp"
#include "engine/resume_instance.hpp"
#include "engine/suspend_instance.hpp"
#include "store_conformance/world.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kTimed = R"({"id": "timed", "name": "Timed", "steps": [
    {"id": "w", "name": "W", "type": "WAIT", "nextStep": "end", "boundaryEvents": [
        {"type": "TIMER", "duration": "PT1M", "interrupting": true, "targetStepId": "late"}]},
    {"id": "late", "name": "Late", "type": "USER_TASK", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";

constexpr std::string_view kTask = R"({"id": "task", "name": "Task", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";

class SameBatch : public testing::TestWithParam<Candidate> {
protected:
    template <class Request>
    void submit(Request request) {
        using Answer = typename PendingCommand<Request>::Answer;
        node_.queue().submit(std::move(request),
                             [](const Result<Answer>& done) { EXPECT_TRUE(done); });
    }

    TimerKey only_timer() {
        const Result<std::vector<TimerKey>> due = node_.reader().due_timers(kNoon + 24h, 10);
        EXPECT_TRUE(due && due->size() == 1);
        return due && !due->empty() ? due->front() : TimerKey{};
    }

    std::unique_ptr<World> world_ = GetParam().make();
    FakeClock clock_{kNoon};
    TestNode node_{world_->database(), clock_};
};

TEST_P(SameBatch, AnInstanceThatIsSuspendedAndResumedKeepsItsTimer) {
    node_.upload(kTimed);
    const Instance started = *node_.start("timed");
    for (int i = 0; i < 2; ++i) {
        submit(SuspendInstance{.instance = started.key});
        submit(ResumeInstance{.instance = started.key});
    }
    node_.commit();
    only_timer();
    clock_.advance(1min);
    node_.settle();
    EXPECT_EQ(node_.told(started.key), "w:FAILED late:RUNNING");
}

TEST_P(SameBatch, ATimerThatFellDueBeforeASuspensionFiresAfterIt) {
    node_.upload(kTimed);
    const Instance started = *node_.start("timed");
    const TimerKey timer = only_timer();
    ASSERT_TRUE(node_.run(SuspendInstance{.instance = started.key}));
    clock_.advance(1min);
    submit(FireTimer{timer});  // Found due by somebody before its row was gone.
    submit(ResumeInstance{.instance = started.key});
    node_.commit();
    node_.settle();
    EXPECT_EQ(node_.told(started.key), "w:FAILED late:RUNNING");
}

TEST_P(SameBatch, AJobThatComesBackShowsTheVariablesAtItsCreation) {
    node_.upload(kTask);
    const Instance started = *node_.start("task", R"({"n": 1})");
    ASSERT_TRUE(node_.run(SuspendInstance{.instance = started.key}));
    const TestNode::Poll poll = node_.begin_poll({.workspace_id = kWorkspace,
                                                  .worker_id = kWorker,
                                                  .job_types = {{"t"}},
                                                  .jobs_max = 1,
                                                  .lease_duration = kLease,
                                                  .wait_duration = 1min});
    node_.broker().run_once();
    submit(ChangeVariables{.instance = started.key, .changes = json_of(R"({"n": 2})")});
    submit(ResumeInstance{.instance = started.key});
    node_.commit();
    node_.broker().run_once();
    ASSERT_EQ(poll.jobs().size(), 1u);
    EXPECT_EQ(poll.jobs().at(0).variables.text(), R"({"n":1})");
}

// A definition that cannot be read, found in the middle of a batch, is as good as none: the
// workflow that would start it ends without it.
TEST_P(SameBatch, AChainToACorruptDefinitionEndsWithoutIt) {
    const auto store = world_->database().batch_store();
    ASSERT_TRUE(store->load({}));
    ASSERT_TRUE(store->apply({.definitions = {{.workspace_id = kWorkspace,
                                               .id = "broken",
                                               .version = 1,
                                               .name = "Broken",
                                               .content = "{}",
                                               .canonical = "{}",
                                               .uploaded_at = kNoon}}}));
    node_.upload(kTask);
    node_.upload(R"({"id": "chain", "name": "Chain", "nextWorkflowId": "broken",
        "autoStartNextWorkflow": true, "steps": [
        {"id": "end", "name": "End", "type": "END"}]})");

    std::vector<std::optional<ErrorCode>> answers;
    for (const char* definition : {"task", "chain", "task"}) {
        const InstanceKey key{{Id128::for_instance(kNoon, 100 + answers.size())}, kWorkspace};
        answers.emplace_back();
        node_.queue().submit(
            StartInstance{.key = key, .definition_id = definition},
            [&answer = answers, place = answers.size() - 1](const Result<Instance>& done) {
                if (!done) answer[place] = done.error().code;
            });
    }
    node_.commit();
    EXPECT_EQ(answers, (std::vector<std::optional<ErrorCode>>(3)));
    const Instance chained = node_.instance({{Id128::for_instance(kNoon, 101)}, kWorkspace});
    EXPECT_EQ(chained.status, InstanceStatus::completed);
    EXPECT_TRUE(chained.state.chain_failure.starts_with("CHAIN_FAILED"));
    EXPECT_EQ(node_.poll("t").size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(All, SameBatch, testing::ValuesIn(kCandidates),
                         [](const auto& world) { return world.param.name; });

}  // namespace
}  // namespace millrace
