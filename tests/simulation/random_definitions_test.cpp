// Goal: whatever a valid definition looks like and in whatever order things happen, an instance
// keeps its invariants and comes to an end; also when people suspend, resume, mend and retry it.
// Method: random step graphs with nested gateways, loops, decisions and timers; random events on
// what is open, until nothing is. The driver checks the invariants after each event.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/json/write.hpp"
#include "core/instance/state_text.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

// Evenly: by itself RapidCheck would begin with the smallest numbers and reach the largest ones
// late.
int draw(int count) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count));
}

// Builds blocks of steps, each with one way in and one way out.
class RandomFlow {
public:
    DefinitionPtr definition() {
        const std::string first = block("end", 3);
        add(R"({"id": "end", "type": "END"})");
        // The entry is the first element of the document.
        const auto entry = std::ranges::find_if(steps_, [&](const std::string& step) {
            return step.starts_with(R"({"id": ")" + first + "\"");
        });
        std::rotate(steps_.begin(), entry, entry + 1);
        std::string text = "[";
        for (const std::string& step : steps_) text += (text == "[" ? "" : ",") + step;
        return flow(text + "]");
    }

private:
    std::string name() { return "s" + std::to_string(++count_); }
    void add(std::string step) { steps_.push_back(std::move(step)); }

    std::string block(const std::string& next, int depth) {
        switch (draw(depth > 0 ? 8 : 3)) {
            case 0: return task("SERVICE_TASK", next);
            case 1: return task(draw(2) == 0 ? "USER_TASK" : "WAIT", next);
            case 2: return draw(4) == 0 ? fragile(next) : transformation(next);
            case 3: return block(block(next, depth - 1), depth - 1);
            case 4: return decision(next, depth);
            case 5: return loop(next, depth);
            default: return gateway(next, depth);
        }
    }

    std::string task(const std::string& type, const std::string& next) {
        const std::string id = name();
        std::string step = R"({"id": ")" + id + R"(", "type": ")" + type + R"(", "jobType": "t")";
        const bool waits_for_mending = type != "WAIT" && draw(8) == 0;
        step += waits_for_mending ? R"(, "conditionalNextSteps": {"mended": ")" + next + R"("})"
                                  : R"(, "nextStep": ")" + next + "\"";
        if (draw(3) == 0) {
            step +=
                R"(, "boundaryEvents": [{"type": "TIMER", "duration": "PT1M", "targetStepId": ")" +
                next + R"(", "interrupting": )" + (draw(2) == 0 ? "true" : "false") + "}]";
        }
        add(step + "}");
        return id;
    }

    std::string transformation(const std::string& next) {
        const std::string id = name();
        add(R"({"id": ")" + id +
            R"(", "type": "TRANSFORMATION", "transformations": {"n": "${n + 1}"}, "nextStep": ")" +
            next + R"("})");
        return id;
    }

    // Fails as soon as it is entered, until somebody mends the variables.
    std::string fragile(const std::string& next) {
        const std::string id = name();
        add(R"({"id": ")" + id + R"(", "type": "DECISION", "conditionalNextSteps": {"mended": ")" +
            next + R"("}})");
        return id;
    }

    // Its token never reaches a join.
    std::string dead_end() {
        const std::string id = name();
        add(R"({"id": ")" + id + R"(", "type": "SERVICE_TASK", "jobType": "t"})");
        return id;
    }

    std::string decision(const std::string& next, int depth) {
        const std::string id = name();
        const std::string left = block(next, depth - 1);
        const std::string right = block(next, depth - 1);
        add(R"({"id": ")" + id + R"(", "type": "DECISION", "conditionalNextSteps": {"n > )" +
            std::to_string(draw(4)) + R"(": ")" + left + R"(", "true": ")" + right + R"("}})");
        return id;
    }

    // Goes around until `n`, which grows on the way, is large enough.
    std::string loop(const std::string& next, int depth) {
        const std::string exit = name();
        const std::string first = transformation(block(exit, depth - 1));
        add(R"({"id": ")" + exit + R"(", "type": "DECISION", "conditionalNextSteps": {"n > )" +
            std::to_string(draw(3)) + R"(": ")" + next + R"(", "true": ")" + first + R"("}})");
        return first;
    }

    std::string gateway(const std::string& next, int depth) {
        const std::string id = name();
        const std::string join = name();
        std::string branches;
        for (int branch = 0; branch < 2 + draw(2); ++branch) {
            const bool ends = branch > 0 && draw(6) == 0;
            branches += (branches.empty() ? "\"" : ", \"") +
                        (ends ? dead_end() : block(join, depth - 1)) + "\"";
        }
        add(R"({"id": ")" + join + R"(", "type": "JOIN_GATEWAY", "nextStep": ")" + next + R"("})");
        add(R"({"id": ")" + id + R"(", "type": "PARALLEL_GATEWAY", "joinStep": ")" + join +
            R"(", "parallelNextSteps": [)" + branches + "]}");
        return id;
    }

    int count_ = 0;
    std::vector<std::string> steps_;
};

constexpr const char* kVariables = R"({"n": 0, "mended": false})";

std::vector<OpenStep> open_steps_of(const InstanceDriver& run, bool service_tasks_only) {
    std::vector<OpenStep> found;
    for (const OpenStep& step : run.instance().state.open_steps) {
        const bool is_wanted = service_tasks_only ? step.type == StepType::service_task
                                                  : step.type != StepType::join_gateway;
        if (is_wanted) found.push_back(step);
    }
    return found;
}

OpenStep one_of(const std::vector<OpenStep>& steps) {
    return steps.at(static_cast<std::size_t>(draw(static_cast<int>(steps.size()))));
}

std::string random_changes() {
    return draw(3) == 0 ? R"({"m": )" + std::to_string(draw(9)) + "}" : "null";
}

JobId job_at(const InstanceDriver& run, const OpenStep& step) {
    return job_of(StepExecutionId{run.instance().key.id.value.with_sequence(step.sequence)});
}

// Ends an open step as a worker or a person does.
Status work_on(InstanceDriver& run, const OpenStep& step) {
    const std::string changes = random_changes();
    switch (step.type) {
        case StepType::service_task:
            return run.handle(
                JobCompleted{.job = job_at(run, step), .variables = json_of(changes)});
        case StepType::user_task:
            return run.handle(UserTaskCompleted{
                .step_id = step.step_id,
                .variables = json_of(changes),
                .completed_by = "ann",
                .sequence = draw(2) == 0 ? 0 : step.sequence,
            });
        default: return run.signal(step.step_id, changes);
    }
}

// One step forward of an instance that runs.
void go_on(InstanceDriver& run) {
    if (!run.timers().empty() && draw(4) == 0) {
        ASSERT_TRUE(run.fire());
        return;
    }
    const std::vector<OpenStep> parked = open_steps_of(run, false);
    ASSERT_FALSE(parked.empty()) << "only joins are open: nobody can move this instance";
    ASSERT_TRUE(work_on(run, one_of(parked)));
}

bool is_completed_by_sequence(InstanceDriver& run, const OpenStep& step) {
    EXPECT_TRUE(run.handle(UserTaskCompleted{.step_id = step.step_id, .sequence = step.sequence}));
    return std::ranges::any_of(run.history(), [&](const StepExecution& line) {
        return line.key.id.value.sequence() == step.sequence;
    });
}

// A try of a job ends badly: it waits for another one, or its instance fails.
void go_wrong(InstanceDriver& run, const OpenStep& step) {
    const JobId job = job_at(run, step);
    const Try failed{.outcome = TryOutcome::failed, .message = "no"};
    const bool is_over = draw(2) == 0;
    ASSERT_TRUE(is_over ? run.handle(JobFailed{job, failed}) : run.handle(JobTried{job, failed}));
}

void change_variables(InstanceDriver& run) {
    VariablesChanged event{.changes = json_of(random_changes())};
    if (draw(4) == 0) event.changes = json_of(R"({"mended": true})");
    if (draw(4) == 0) event.removed = {"m"};
    const std::int64_t version = run.instance().state.variables_version;
    if (draw(2) == 0) event.expected_version = version;
    ASSERT_TRUE(run.handle(event));
    event.expected_version = version - 1;
    ASSERT_EQ(run.handle(event).error().code, ErrorCode::conflict);
}

// Workers finish what they hold; everything else has to wait.
void happen_while_suspended(InstanceDriver& run) {
    EXPECT_TRUE(run.timers().empty());
    for (const OpenStep& step : open_steps_of(run, false)) {
        if (step.type == StepType::service_task) continue;
        EXPECT_EQ(work_on(run, step).error().code, ErrorCode::conflict);
        for (const OpenTimer& timer : step.timers) {
            const TimerId id{run.instance().key.id.value.with_sequence(timer.sequence)};
            EXPECT_EQ(run.handle(TimerFired{id}).error().code, ErrorCode::not_found);
        }
    }
    const std::vector<OpenStep> held = open_steps_of(run, true);
    switch (draw(held.empty() ? 4 : 7)) {
        case 0: ASSERT_TRUE(run.handle(SuspendRequested{})); return;
        case 1: return change_variables(run);
        case 2: run.pass(std::chrono::minutes{1}); return;
        case 3: ASSERT_TRUE(run.handle(ResumeRequested{})); return;
        case 4: return go_wrong(run, one_of(held));
        default: ASSERT_TRUE(work_on(run, one_of(held))); return;
    }
}

// What does not fit an instance that is over changes nothing.
void expect_refusals_when_over(InstanceDriver& run) {
    const Instance before = run.instance();
    EXPECT_FALSE(run.handle(SuspendRequested{}));
    EXPECT_FALSE(run.handle(ResumeRequested{}));
    EXPECT_FALSE(run.handle(CancelRequested{}));
    for (const OpenStep& step : before.state.open_steps) {
        EXPECT_FALSE(run.handle(UserTaskCompleted{.step_id = step.step_id}));
        EXPECT_FALSE(run.handle(JobCompleted{.job = job_at(run, step)})) << step.step_id;
        EXPECT_FALSE(run.handle(JobTried{.job = job_at(run, step)})) << step.step_id;
        for (const OpenTimer& timer : step.timers) {
            run.pass(timer.fire_at - kNoon);
            const TimerId id{before.key.id.value.with_sequence(timer.sequence)};
            EXPECT_FALSE(run.handle(TimerFired{id})) << step.step_id;
        }
    }
    EXPECT_EQ(run.instance(), before);
}

// Anything that can happen, to an instance that runs, is suspended or has failed.
void happen(InstanceDriver& run) {
    const Instance& instance = run.instance();
    if (is_terminal(instance.status)) {
        expect_refusals_when_over(run);
        if (instance.status != InstanceStatus::failed) return;
        if (draw(3) == 0) return change_variables(run);
        ASSERT_TRUE(run.handle(RetryRequested{}));
        return;
    }
    ASSERT_EQ(run.handle(RetryRequested{}).error().code, ErrorCode::conflict);
    if (instance.state.is_suspended) return happen_while_suspended(run);
    const std::vector<OpenStep> jobs = open_steps_of(run, true);
    switch (draw(12)) {
        case 0: ASSERT_TRUE(run.handle(SuspendRequested{})); return;
        case 1: ASSERT_TRUE(run.handle(ResumeRequested{})); return;
        case 2: return change_variables(run);
        case 3:
            if (!jobs.empty()) return go_wrong(run, one_of(jobs));
            return go_on(run);
        case 4:
            if (draw(20) != 0) return go_on(run);
            ASSERT_TRUE(run.handle(CancelRequested{}));
            return;
        default: return go_on(run);
    }
}

// Every passage through a gateway ends in its join at most once, and not before each branch was
// begun.
void expect_joins_fired_once(const InstanceDriver& run) {
    std::map<std::string, int> entered;
    std::map<std::string, int> completed;
    for (const StepExecution& line : run.history()) {
        entered[line.step_id] += 1;
        if (line.status == StepExecutionStatus::completed) completed[line.step_id] += 1;
    }
    for (const Step& step : run.definition()->steps) {
        if (step.type != StepType::parallel_gateway) continue;
        const int joined = completed[step.join_step];
        EXPECT_LE(joined, completed[step.id]) << step.join_step << " fired twice";
        for (const std::string& branch : step.parallel_next_steps) {
            EXPECT_GE(entered[branch], joined) << branch << " got lost";
        }
    }
}

RC_GTEST_PROP(RandomDefinitions, AlwaysComeToAnEnd, ()) {
    const DefinitionPtr definition = RandomFlow().definition();
    RC_ASSERT(definition != nullptr);
    InstanceDriver run(definition, kVariables);
    RC_ASSERT(static_cast<bool>(run.start()));
    for (int event = 0; event < 500 && !is_terminal(run.instance().status); ++event) {
        go_on(run);
        RC_ASSERT(!testing::Test::HasFailure());
    }
    RC_ASSERT(is_terminal(run.instance().status));
    expect_joins_fired_once(run);
    expect_refusals_when_over(run);
    // A decision without a match is the only failure these definitions can have.
    if (run.instance().status == InstanceStatus::failed) {
        RC_ASSERT(run.instance().failure_reason->find("DecisionNoBranchMatched") !=
                  std::string::npos);
    }
    RC_ASSERT(!testing::Test::HasFailure());
}

RC_GTEST_PROP(RandomDefinitions, CompleteOnceTheyAreMendedResumedAndRetried, ()) {
    const DefinitionPtr definition = RandomFlow().definition();
    RC_ASSERT(definition != nullptr);
    InstanceDriver run(definition, kVariables);
    RC_ASSERT(static_cast<bool>(run.start()));
    const int events = draw(60);
    for (int event = 0; event < events; ++event) {
        happen(run);
        RC_ASSERT(!testing::Test::HasFailure());
    }
    const bool is_cancelled = run.instance().status == InstanceStatus::cancelled;
    const bool was_completed = run.instance().status == InstanceStatus::completed;
    if (!is_cancelled && !was_completed) {
        RC_ASSERT(static_cast<bool>(
            run.handle(VariablesChanged{.changes = json_of(R"({"mended": true})")})));
        if (run.instance().status == InstanceStatus::failed) {
            RC_ASSERT(static_cast<bool>(run.handle(RetryRequested{})));
        } else {
            RC_ASSERT(static_cast<bool>(run.handle(ResumeRequested{})));
        }
        for (int event = 0; event < 500 && !is_terminal(run.instance().status); ++event) {
            go_on(run);
            RC_ASSERT(!testing::Test::HasFailure());
        }
        RC_ASSERT(run.instance().status == InstanceStatus::completed);
    }
    expect_joins_fired_once(run);
    RC_ASSERT(!testing::Test::HasFailure());
}

RC_GTEST_PROP(RandomDefinitions, CompleteTheUserTaskThatIsMeant, ()) {
    const DefinitionPtr definition = RandomFlow().definition();
    RC_ASSERT(definition != nullptr);
    InstanceDriver run(definition, kVariables);
    RC_ASSERT(static_cast<bool>(run.start()));
    for (int event = 0; event < 500 && !is_terminal(run.instance().status); ++event) {
        const std::vector<OpenStep> parked = open_steps_of(run, false);
        const OpenStep step = one_of(parked);
        if (step.type == StepType::user_task) {
            RC_ASSERT(is_completed_by_sequence(run, step));
        } else {
            go_on(run);
        }
        RC_ASSERT(!testing::Test::HasFailure());
    }
    RC_ASSERT(is_terminal(run.instance().status));
}

RC_GTEST_PROP(RandomDefinitions, KeepTheirStateThroughItsStoredText, ()) {
    const DefinitionPtr definition = RandomFlow().definition();
    RC_ASSERT(definition != nullptr);
    InstanceDriver run(definition, kVariables);
    RC_ASSERT(static_cast<bool>(run.start()));
    for (int event = 0; event < 20; ++event) {
        happen(run);
        const auto read_back = parse_state_text(state_text(run.instance().state));
        RC_ASSERT(read_back.has_value());
        RC_ASSERT(*read_back == run.instance().state);
    }
}

}  // namespace
}  // namespace millrace
