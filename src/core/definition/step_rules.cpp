#include <algorithm>

#include "base/json/write.hpp"
#include "core/definition/rules.hpp"
#include "core/limits.hpp"

namespace millrace::definition {

namespace {

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

class StepCheck {
public:
    StepCheck(const Draft& draft, std::size_t position, Problems& problems)
        : draft_(draft),
          step_(draft.steps[position]),
          position_(position),
          path_(path_of(position)),
          label_(label_of(step_, position)),
          problems_(problems) {}

    void run() {
        check_id();
        if (step_.name.empty()) add("name", ": name is required");
        if (!step_.type) {
            add("type", ": unsupported type " + quoted(step_.type_text) + known_types());
        }
        if (step_.type) check_type(*step_.type);
        check_job_type_and_retries();
        check_next_steps();
        check_boundary_events();
        check_owner("retryPolicy", step_.retry_policy.has_value(), StepType::service_task);
        check_owner("timeout", !step_.timeout.empty(), StepType::service_task);
        check_owner("assignee", !step_.assignee.empty(), StepType::user_task);
        check_owner("candidateGroups", !step_.candidate_groups.empty(), StepType::user_task);
        check_owner("form", step_.form != nullptr, StepType::user_task);
        check_people();
        if (step_.retry_policy) check_retry_policy(*step_.retry_policy);
    }

private:
    // A field that would mean nothing on other types is a mistake there.
    void check_owner(const std::string& field, bool is_there, StepType owner) {
        if (!is_there || !step_.type || step_.type == owner) return;
        add(field, type_label() + ": " + field + " is only for " + std::string(to_string(owner)));
    }

    void check_people() {
        check_name("assignee", step_.assignee);
        check_count("candidateGroups", step_.candidate_groups.size(), limits::kCandidateGroupsMax);
        for (std::size_t i = 0; i < step_.candidate_groups.size(); ++i) {
            const std::string here = "candidateGroups[" + std::to_string(i) + "]";
            if (step_.candidate_groups[i].empty()) add(here, ": " + here + " must not be empty");
            check_name(here, step_.candidate_groups[i]);
        }
        if (step_.form == nullptr) return;
        if (const std::size_t size = json::write(*step_.form).size();
            size > limits::kFormBytesMax) {
            add("form", ": form must be \u2264 " + std::to_string(limits::kFormBytesMax) +
                            " bytes, got " + std::to_string(size));
        }
    }

    void check_retry_policy(const DraftRetryPolicy& policy) {
        require("retryPolicy.initialDelay", !policy.initial_delay.empty());
        check_number("retryPolicy.factor", policy.factor, 1, 100);
        check_number("retryPolicy.jitter", policy.jitter, 0, 1);
    }

    void check_number(const std::string& field, std::optional<double> number, int min, int max) {
        if (!number || (*number >= min && *number <= max)) return;
        add(field, ": " + field + " must be between " + std::to_string(min) + " and " +
                       std::to_string(max));
    }

    void check_id() {
        if (step_.id.empty()) {
            problems_.add(path_ + ".id", "step[" + std::to_string(position_) + "] id is required");
            return;
        }
        if (draft_.find_step(step_.id) != &step_) {
            problems_.add(path_ + ".id", "duplicate step id: " + quoted(step_.id));
        }
        check_name("id", step_.id);
    }

    void check_name(const std::string& field, std::string_view name) {
        for (const std::string& flaw : flaws_of_name(name)) add(field, ": " + field + " " + flaw);
    }

    void check_type(StepType type) {
        switch (type) {
            case StepType::service_task: require("jobType", !step_.job_type.empty()); break;
            case StepType::decision:
                if (step_.conditional_next_steps.empty()) add_empty("conditionalNextSteps");
                break;
            case StepType::transformation:
                require("nextStep", !step_.next_step.empty());
                if (step_.transformations.empty()) add_empty("transformations");
                break;
            case StepType::wait:
            case StepType::join_gateway: require("nextStep", !step_.next_step.empty()); break;
            case StepType::parallel_gateway: check_gateway(); break;
            case StepType::user_task:
            case StepType::end: break;
        }
    }

    void check_gateway() {
        if (step_.parallel_next_steps.size() < 2) {
            add("parallelNextSteps",
                type_label() + ": parallelNextSteps must have at least 2 steps");
        }
        require("joinStep", !step_.join_step.empty());
        const DraftStep* join = draft_.find_step(step_.join_step);
        if (join != nullptr && join->type != StepType::join_gateway) {
            add("joinStep", type_label() + ": joinStep " + quoted(join->id) +
                                " must be a JOIN_GATEWAY, but is " + std::string(join->type_text));
        }
    }

    // Which one was meant, or all that there are.
    std::string known_types() const {
        if (problems_.is_full()) return {};
        std::vector<std::string_view> names;
        for (std::size_t i = 0; i < kStepTypeCount; ++i) {
            names.push_back(to_string(static_cast<StepType>(i)));
        }
        std::string text = meant_by(step_.type_text, names) + ", expected ";
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
            text += names[i];
        }
        return text;
    }

    void check_job_type_and_retries() {
        check_name("jobType", step_.job_type);
        if (step_.retry_count < 0 || step_.retry_count > limits::kRetryCountMax) {
            add("retryCount", ": retryCount must be between 0 and " +
                                  std::to_string(limits::kRetryCountMax) + ", got " +
                                  std::to_string(step_.retry_count));
        }
    }

    void check_next_steps() {
        if (!step_.next_step.empty()) check_target("nextStep", "nextStep", step_.next_step);
        check_count("conditionalNextSteps", step_.conditional_next_steps.size(),
                    limits::kBranchesMax);
        for (const json::Member& branch : step_.conditional_next_steps) {
            check_target("conditionalNextSteps[" + quoted(branch.key) + "]",
                         "conditionalNextSteps target", *branch.value.if_string());
        }
        check_count("parallelNextSteps", step_.parallel_next_steps.size(), limits::kBranchesMax);
        for (std::size_t i = 0; i < step_.parallel_next_steps.size(); ++i) {
            check_target("parallelNextSteps[" + std::to_string(i) + "]", "parallelNextSteps",
                         step_.parallel_next_steps[i]);
        }
        if (!step_.join_step.empty()) check_target("joinStep", "joinStep", step_.join_step);
    }

    void check_boundary_events() {
        if (step_.boundary_events.empty()) return;
        const bool can_wait = !step_.type || step_.type == StepType::service_task ||
                              step_.type == StepType::user_task || step_.type == StepType::wait;
        if (!can_wait) {
            add("boundaryEvents", type_label() +
                                      ": boundaryEvents are only for SERVICE_TASK, USER_TASK "
                                      "and WAIT");
        }
        check_count("boundaryEvents", step_.boundary_events.size(), limits::kBoundaryEventsMax);
        for (std::size_t i = 0; i < step_.boundary_events.size(); ++i) check_boundary_event(i);
    }

    void check_boundary_event(std::size_t i) {
        const DraftBoundaryEvent& event = step_.boundary_events[i];
        const std::string here = "boundaryEvents[" + std::to_string(i) + "]";
        if (event.type != "TIMER") {
            add(here + ".type",
                " " + here + ": unsupported type " + quoted(event.type) + ", expected TIMER");
        }
        if (event.duration.empty()) {
            add(here + ".duration", " " + here + ": duration is required");
        }
        if (event.target_step_id.empty()) {
            add(here + ".targetStepId", " " + here + ": targetStepId is required");
        } else {
            check_target(here + ".targetStepId", here + ": targetStepId", event.target_step_id);
        }
    }

    void check_target(const std::string& field, const std::string& name, std::string_view target) {
        if (draft_.find_step(target) != nullptr) return;
        add(field, " " + name + " references unknown step " + quoted(target));
    }

    void check_count(const std::string& field, std::size_t count, std::size_t count_max) {
        if (count <= count_max) return;
        add(field, ": " + field + " must be \u2264 " + std::to_string(count_max) + ", got " +
                       std::to_string(count));
    }

    void require(const std::string& field, bool is_there) {
        if (!is_there) add(field, type_label() + ": " + field + " is required");
    }

    void add_empty(const std::string& field) {
        add(field, type_label() + ": " + field + " must not be empty");
    }

    std::string type_label() const { return " (" + std::string(step_.type_text) + ")"; }

    void add(const std::string& field, const std::string& message) {
        problems_.add(path_ + "." + field, label_ + message);
    }

    const Draft& draft_;
    const DraftStep& step_;
    std::size_t position_;
    std::string path_;
    std::string label_;
    Problems& problems_;
};

}  // namespace

void check_step(const Draft& draft, std::size_t position, Problems& problems) {
    StepCheck(draft, position, problems).run();
}

std::vector<std::string> flaws_of_name(std::string_view name) {
    std::vector<std::string> flaws;
    if (name.size() > limits::kNameBytesMax) {
        flaws.push_back("must be \u2264 " + std::to_string(limits::kNameBytesMax) +
                        " characters, got " + std::to_string(name.size()));
    }
    if (std::ranges::any_of(name, is_control)) {
        flaws.emplace_back("must not contain control characters");
    }
    return flaws;
}

std::string path_of(std::size_t position) {
    return "steps[" + std::to_string(position) + "]";
}

std::string label_of(const DraftStep& step, std::size_t position) {
    if (step.id.empty()) return "step[" + std::to_string(position) + "]";
    return "step " + quoted(step.id);
}

}  // namespace millrace::definition
