// Goal: whatever a valid definition looks like and in whatever order things happen, an instance
// keeps its invariants and comes to an end.
// Method: random step graphs with nested gateways, loops, decisions and timers; random events on
// what is open, until nothing is. The driver checks the invariants after each event.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/json/write.hpp"
#include "core/instance/state_text.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

int draw(int count) {
    return *rc::gen::inRange(0, count);
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
        switch (draw(depth > 0 ? 7 : 3)) {
            case 0: return task("SERVICE_TASK", next);
            case 1: return task(draw(2) == 0 ? "USER_TASK" : "WAIT", next);
            case 2: return transformation(next);
            case 3: return block(block(next, depth - 1), depth - 1);
            case 4: return decision(next, depth);
            default: return gateway(next, depth);
        }
    }

    std::string task(const std::string& type, const std::string& next) {
        const std::string id = name();
        std::string step = R"({"id": ")" + id + R"(", "type": ")" + type + R"(", "jobType": "t")";
        const bool never_matches = type != "WAIT" && draw(8) == 0;
        step += never_matches ? R"(, "conditionalNextSteps": {"n < 0": ")" + next + R"("})"
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

    std::string decision(const std::string& next, int depth) {
        const std::string id = name();
        const std::string left = block(next, depth - 1);
        const std::string right = block(next, depth - 1);
        add(R"({"id": ")" + id + R"(", "type": "DECISION", "conditionalNextSteps": {"n > )" +
            std::to_string(draw(4)) + R"(": ")" + left + R"(", "true": ")" + right + R"("}})");
        return id;
    }

    std::string gateway(const std::string& next, int depth) {
        const std::string id = name();
        const std::string join = name();
        std::string branches;
        for (int branch = 0; branch < 2 + draw(2); ++branch) {
            branches += (branches.empty() ? "\"" : ", \"") + block(join, depth - 1) + "\"";
        }
        add(R"({"id": ")" + join + R"(", "type": "JOIN_GATEWAY", "nextStep": ")" + next + R"("})");
        add(R"({"id": ")" + id + R"(", "type": "PARALLEL_GATEWAY", "joinStep": ")" + join +
            R"(", "parallelNextSteps": [)" + branches + "]}");
        return id;
    }

    int count_ = 0;
    std::vector<std::string> steps_;
};

// One random thing that can happen now.
void happen(InstanceDriver& run) {
    const std::vector<OpenStep>& open = run.instance().state.open_steps;
    const int timers = static_cast<int>(run.timers().size());
    if (timers > 0 && draw(4) == 0) {
        ASSERT_TRUE(run.fire());
        return;
    }
    std::vector<OpenStep> parked;
    for (const OpenStep& step : open) {
        if (step.type != StepType::join_gateway) parked.push_back(step);
    }
    ASSERT_FALSE(parked.empty()) << "only joins are open: nobody can move this instance";
    const OpenStep step = parked[static_cast<std::size_t>(draw(static_cast<int>(parked.size())))];
    const std::string changes = draw(3) == 0 ? R"({"m": )" + std::to_string(draw(9)) + "}" : "null";
    switch (step.type) {
        case StepType::service_task: {
            const StepExecutionId id{run.instance().key.id.value.with_sequence(step.sequence)};
            ASSERT_TRUE(run.handle(JobCompleted{.job = job_of(id), .variables = json_of(changes)}));
            return;
        }
        case StepType::user_task: ASSERT_TRUE(run.complete_task(step.step_id, changes)); return;
        default: ASSERT_TRUE(run.signal(step.step_id, changes)); return;
    }
}

RC_GTEST_PROP(RandomDefinitions, AlwaysComeToAnEnd, ()) {
    const DefinitionPtr definition = RandomFlow().definition();
    RC_ASSERT(definition != nullptr);
    InstanceDriver run(definition, R"({"n": 0})");
    RC_ASSERT(static_cast<bool>(run.start()));
    for (int event = 0; event < 500 && !is_terminal(run.instance().status); ++event) {
        happen(run);
        RC_ASSERT(!testing::Test::HasFailure());
    }
    RC_ASSERT(is_terminal(run.instance().status));
    // A decision without a match is the only failure these definitions can have.
    if (run.instance().status == InstanceStatus::failed) {
        RC_ASSERT(run.instance().failure_reason->find("DecisionNoBranchMatched") !=
                  std::string::npos);
    }
}

RC_GTEST_PROP(RandomDefinitions, KeepTheirStateThroughItsStoredText, ()) {
    const DefinitionPtr definition = RandomFlow().definition();
    RC_ASSERT(definition != nullptr);
    InstanceDriver run(definition, R"({"n": 0})");
    RC_ASSERT(static_cast<bool>(run.start()));
    for (int event = 0; event < 5 && !is_terminal(run.instance().status); ++event) {
        happen(run);
        const auto read_back = parse_state_text(state_text(run.instance().state));
        RC_ASSERT(read_back.has_value());
        RC_ASSERT(*read_back == run.instance().state);
    }
}

}  // namespace
}  // namespace millrace
