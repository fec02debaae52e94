#include "simulator/random_definition.hpp"

#include <algorithm>

namespace millrace::sim {

namespace {

std::string quoted(const std::string& text) {
    return "\"" + text + "\"";
}

std::string seconds(int count) {
    return quoted("PT" + std::to_string(count) + "S");
}

// Builds blocks of steps, each with one way in and one way out. Draws are statements of their own:
// the order within an expression is the compiler's.
class FlowWriter {
public:
    FlowWriter(SimRandom& random, const DefinitionMix& mix) : random_(random), mix_(mix) {}

    // The steps as the elements of an array, the entry first.
    std::string steps() {
        const std::string first = block("end", mix_.depth);
        add("end", "END", "");
        // The entry is the first element of the document.
        const auto entry = std::ranges::find_if(steps_, [&](const std::string& step) {
            return step.starts_with("{\"id\":" + quoted(first) + ",");
        });
        std::rotate(steps_.begin(), entry, entry + 1);
        std::string text;
        for (const std::string& step : steps_) text += (text.empty() ? "" : ",") + step;
        return text;
    }

private:
    std::string new_name() { return "s" + std::to_string(++count_); }

    void add(const std::string& id, const std::string& type, const std::string& fields) {
        steps_.push_back("{\"id\":" + quoted(id) + ",\"name\":" + quoted(id) +
                         ",\"type\":" + quoted(type) + fields + "}");
    }

    std::string block(const std::string& next, int depth) {
        if (depth <= 0 || steps_.size() > kStepsMax) return leaf(next);
        switch (random_.below(7)) {
            case 0: return block(block(next, depth - 1), depth - 1);
            case 1: return mix_.has_decisions ? decision(next, depth) : leaf(next);
            case 2: return mix_.has_loops ? loop(next, depth) : leaf(next);
            case 3:
            case 4: return mix_.has_gateways ? gateway(next, depth) : leaf(next);
            default: return leaf(next);
        }
    }

    std::string leaf(const std::string& next) {
        switch (random_.below(8)) {
            case 0:
            case 1: return mix_.has_user_tasks ? user_task(next) : service_task(next);
            case 2: return mix_.has_waits ? wait(next) : service_task(next);
            case 3: return mix_.has_transformations ? transformation(next) : service_task(next);
            case 4: return mix_.has_failures ? fragile(next) : service_task(next);
            default: return service_task(next);
        }
    }

    // Where a task leads: some fail when they are left, until somebody mends the variables, some
    // choose between two ways to the same place.
    std::string way_on(const std::string& next) {
        if (mix_.has_failures && random_.chance(5)) {
            return ",\"conditionalNextSteps\":{\"mended\":" + quoted(next) + "}";
        }
        if (mix_.has_decisions && random_.chance(10)) {
            return ",\"conditionalNextSteps\":{\"n > 3\":" + quoted(next) +
                   ",\"true\":" + quoted(next) + "}";
        }
        return ",\"nextStep\":" + quoted(next);
    }

    std::string retries() {
        if (!mix_.has_retries || random_.chance(40)) return "";
        std::string text = ",\"retryCount\":" + std::to_string(random_.between(1, 4));
        if (random_.chance(50)) {
            text += ",\"retryPolicy\":{\"initialDelay\":" + seconds(random_.between(1, 30));
            if (random_.chance(50)) text += ",\"factor\":3";
            if (random_.chance(50)) text += ",\"maxDelay\":" + seconds(120);
            if (random_.chance(30)) text += ",\"jitter\":0.5";
            text += "}";
        }
        return text;
    }

    std::string timers(const std::string& next) {
        if (!mix_.has_timers || random_.chance(60)) return "";
        std::string text;
        const int count = random_.between(1, 2);
        for (int number = 0; number < count; ++number) {
            const bool is_interrupting = random_.chance(50);
            // A token that runs beside its step ends by itself, or goes the same way.
            const bool ends = !is_interrupting && random_.chance(60);
            const std::string target = ends ? dead_end() : next;
            text += (text.empty() ? "" : ",");
            text += "{\"type\":\"TIMER\",\"duration\":" + seconds(random_.between(1, 200));
            text += is_interrupting ? ",\"interrupting\":true" : ",\"interrupting\":false";
            text += ",\"targetStepId\":" + quoted(target) + "}";
        }
        return ",\"boundaryEvents\":[" + text + "]";
    }

    std::string service_task(const std::string& next) {
        const std::string id = new_name();
        std::string fields = ",\"jobType\":" + quoted(random_.pick(mix_.job_types));
        fields += way_on(next);
        fields += retries();
        fields += timers(next);
        if (mix_.has_timers && random_.chance(15)) {
            fields += ",\"timeout\":" + seconds(random_.between(1, 60));
        }
        add(id, "SERVICE_TASK", fields);
        return id;
    }

    std::string user_task(const std::string& next) {
        const std::string id = new_name();
        std::string fields = way_on(next);
        fields += timers(next);
        if (random_.chance(30)) fields += ",\"assignee\":\"ann\"";
        if (random_.chance(30)) fields += ",\"candidateGroups\":[\"managers\"]";
        add(id, "USER_TASK", fields);
        return id;
    }

    std::string wait(const std::string& next) {
        const std::string id = new_name();
        add(id, "WAIT", ",\"nextStep\":" + quoted(next) + timers(next));
        return id;
    }

    std::string transformation(const std::string& next) {
        const std::string id = new_name();
        const char* value = random_.chance(50) ? "\"${n + 1}\"" : "\"${now()}\"";
        add(id, "TRANSFORMATION",
            ",\"transformations\":{\"n\":\"${n + 1}\",\"last\":" + std::string(value) +
                "},\"nextStep\":" + quoted(next));
        return id;
    }

    // Fails as soon as it is entered, until somebody mends the variables.
    std::string fragile(const std::string& next) {
        const std::string id = new_name();
        add(id, "DECISION", ",\"conditionalNextSteps\":{\"mended\":" + quoted(next) + "}");
        return id;
    }

    // Its token never reaches a join.
    std::string dead_end() {
        const std::string id = new_name();
        add(id, "SERVICE_TASK", ",\"jobType\":" + quoted(random_.pick(mix_.job_types)));
        return id;
    }

    std::string decision(const std::string& next, int depth) {
        const std::string id = new_name();
        const std::string left = block(next, depth - 1);
        const std::string right = block(next, depth - 1);
        add(id, "DECISION",
            ",\"conditionalNextSteps\":{\"n > " + std::to_string(random_.between(0, 3)) +
                "\":" + quoted(left) + ",\"true\":" + quoted(right) + "}");
        return id;
    }

    // Goes around until its own variable, which grows on the way, is large enough.
    std::string loop(const std::string& next, int depth) {
        const std::string begin = new_name();
        const std::string count = new_name();
        const std::string exit = new_name();
        const std::string variable = "k" + std::to_string(count_);
        const std::string body = block(exit, std::min(depth - 1, 1));
        add(begin, "TRANSFORMATION",
            ",\"transformations\":{" + quoted(variable) + ":0},\"nextStep\":" + quoted(count));
        add(count, "TRANSFORMATION",
            ",\"transformations\":{" + quoted(variable) + ":\"${" + variable +
                " + 1}\"},\"nextStep\":" + quoted(body));
        add(exit, "DECISION",
            ",\"conditionalNextSteps\":{\"" + variable +
                " >= " + std::to_string(random_.between(1, 3)) + "\":" + quoted(next) +
                ",\"true\":" + quoted(count) + "}");
        return begin;
    }

    std::string gateway(const std::string& next, int depth) {
        const std::string id = new_name();
        const std::string join = new_name();
        std::string branches;
        const int count = random_.between(2, 3);
        for (int branch = 0; branch < count; ++branch) {
            const bool ends = branch > 0 && random_.chance(15);
            branches +=
                (branches.empty() ? "" : ",") + quoted(ends ? dead_end() : block(join, depth - 1));
        }
        add(join, "JOIN_GATEWAY", ",\"nextStep\":" + quoted(next));
        add(id, "PARALLEL_GATEWAY",
            ",\"joinStep\":" + quoted(join) + ",\"parallelNextSteps\":[" + branches + "]");
        return id;
    }

    static constexpr std::size_t kStepsMax = 30;

    SimRandom& random_;
    const DefinitionMix& mix_;
    int count_ = 0;
    std::vector<std::string> steps_;
};

}  // namespace

DefinitionMix DefinitionMix::random(SimRandom& random) {
    DefinitionMix mix;
    for (bool* has :
         {&mix.has_user_tasks, &mix.has_waits, &mix.has_decisions, &mix.has_transformations,
          &mix.has_gateways, &mix.has_timers, &mix.has_loops, &mix.has_retries}) {
        *has = random.chance(70);
    }
    mix.has_failures = random.chance(40);
    mix.depth = random.between(0, 3);
    mix.job_types.resize(static_cast<std::size_t>(random.between(1, 3)));
    return mix;
}

std::string random_definition(SimRandom& random, const DefinitionMix& mix, const std::string& id,
                              const std::string& next_workflow) {
    std::string text = "{\"id\":" + quoted(id) + ",\"name\":" + quoted(id);
    if (!next_workflow.empty()) {
        text += ",\"autoStartNextWorkflow\":true,\"nextWorkflowId\":" + quoted(next_workflow);
    }
    if (random.chance(20)) text += ",\"maxAttempts\":" + std::to_string(random.between(1, 5));
    return text + ",\"steps\":[" + FlowWriter(random, mix).steps() + "]}";
}

std::string random_remote_definition(SimRandom& random, const std::string& id,
                                     const std::string& target) {
    std::string text = "{\"id\":" + quoted(id) + ",\"name\":" + quoted(id) +
                       ",\"executor\":{\"kind\":\"temporal\",\"target\":" + quoted(target) + "}";
    if (random.chance(50)) text += ",\"maxAttempts\":" + std::to_string(random.between(1, 5));
    return text + "}";
}

std::string random_input(SimRandom& random) {
    const std::string n = std::to_string(random.between(0, 4));
    return "{\"n\":" + n + ",\"mended\":" + (random.chance(80) ? "true" : "false") + "}";
}

std::string random_changes(SimRandom& random) {
    switch (random.below(4)) {
        case 0: return "{\"n\":" + std::to_string(random.between(0, 5)) + "}";
        case 1: return "{\"m" + std::to_string(random.below(3)) + "\":\"x\"}";
        case 2: return "{\"mended\":" + std::string(random.chance(70) ? "true" : "false") + "}";
        default: return "null";
    }
}

}  // namespace millrace::sim
