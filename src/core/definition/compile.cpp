#include "core/definition/compile.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "core/definition/bounded_duration.hpp"
#include "core/definition/rules.hpp"
#include "core/limits.hpp"

namespace millrace::definition {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

// The text between ${ and }; empty optional for every other value, which is a literal.
std::optional<std::string_view> expression_in(const json::Value& value) {
    const std::string* text = value.if_string();
    if (text == nullptr || !text->starts_with("${") || !text->ends_with('}')) return std::nullopt;
    return trimmed(std::string_view(*text).substr(2, text->size() - 3), kSpace);
}

class StepCompiler {
public:
    StepCompiler(const DraftStep& draft, std::size_t position, ExpressionRoom& room,
                 Problems& problems)
        : draft_(draft), position_(position), room_(room), problems_(problems) {}

    Step run() {
        Step step{
            .id = std::string(draft_.id),
            .name = std::string(draft_.name),
            .type = draft_.type.value_or(StepType::end),
            .next_step = std::string(draft_.next_step),
            .parallel_next_steps = {draft_.parallel_next_steps.begin(),
                                    draft_.parallel_next_steps.end()},
            .join_step = std::string(draft_.join_step),
            .job_type = std::string(draft_.job_type),
            .retry_count = static_cast<std::int32_t>(draft_.retry_count),
            .assignee = std::string(draft_.assignee),
            .candidate_groups = {draft_.candidate_groups.begin(), draft_.candidate_groups.end()},
        };
        if (draft_.retry_policy) step.retry_policy = retry_policy(*draft_.retry_policy);
        if (!draft_.timeout.empty()) {
            step.try_timeout =
                exact("timeout", draft_.timeout, limits::kTryTimeoutMin, limits::kTryTimeoutMax);
        }
        if (draft_.form != nullptr) step.form = *draft_.form;
        for (const json::Member& branch : draft_.conditional_next_steps) add(step, branch);
        for (const json::Member& entry : draft_.transformations) {
            step.transformations.push_back(transformation(entry));
        }
        for (std::size_t i = 0; i < draft_.boundary_events.size(); ++i) {
            step.boundary_timers.push_back(boundary_timer(i));
        }
        return step;
    }

private:
    void add(Step& step, const json::Member& branch) {
        auto condition = compile("conditionalNextSteps", branch.key, branch.key);
        if (!condition) return;
        step.conditional_next_steps.push_back({*std::move(condition), *branch.value.if_string()});
    }

    Transformation transformation(const json::Member& entry) {
        Transformation out{.variable = entry.key};
        const std::optional<std::string_view> text = expression_in(entry.value);
        if (!text) {
            out.literal = entry.value;
        } else if (*text == "now()") {
            out.is_now = true;
        } else {
            out.expression = compile("transformations", entry.key, *text);
        }
        return out;
    }

    BoundaryTimer boundary_timer(std::size_t i) {
        const DraftBoundaryEvent& event = draft_.boundary_events[i];
        BoundaryTimer timer{
            .interrupting = event.interrupting,
            .target_step_id = std::string(event.target_step_id),
        };
        if (event.duration.empty()) return timer;  // The rules have said so.
        const Result<IsoDuration> duration = parse_iso_duration(event.duration);
        if (duration) {
            timer.duration = *duration;
        } else {
            const std::string here = "boundaryEvents[" + std::to_string(i) + "]";
            tell(here + ".duration",
                 here + ": duration " + quoted(event.duration) + " is " + duration.error().detail);
        }
        return timer;
    }

    RetryPolicy retry_policy(const DraftRetryPolicy& draft) {
        RetryPolicy policy{
            .factor = draft.factor.value_or(2),
            .max_delay = limits::kRetryDelayDefaultMax,
            .jitter = draft.jitter.value_or(0),
        };
        if (!draft.initial_delay.empty()) {
            policy.initial_delay = exact("retryPolicy.initialDelay", draft.initial_delay,
                                         Duration{1}, limits::kRetryInitialDelayMax);
        }
        policy.max_delay = std::max(policy.max_delay, policy.initial_delay);
        if (!draft.max_delay.empty()) {
            policy.max_delay = exact("retryPolicy.maxDelay", draft.max_delay, policy.initial_delay,
                                     limits::kRetryDelayMax);
        }
        return policy;
    }

    // Within bounds; when it is not, which is told, any value will do.
    Duration exact(const std::string& field, std::string_view text, Duration min, Duration max) {
        const Result<Duration> duration = parse_bounded_duration(text, min, max);
        if (duration) return *duration;
        tell(field, field + " " + quoted(text) + " " + duration.error().detail);
        return min;
    }

    std::optional<Expression> compile(const std::string& field, std::string_view key,
                                      std::string_view text) {
        if (room_.is_exceeded()) return std::nullopt;  // Which was told.
        Result<Expression> expression = Expression::compile(text);
        if (expression) room_.bytes += expression->bytes();
        if (expression && !room_.is_exceeded()) return *std::move(expression);
        tell(field + "[" + quoted(key) + "]",
             field + " " + quoted(key) + ": " +
                 (expression ? "with it the expressions of the definition take more than " +
                                   std::to_string(room_.bytes_max) + " bytes of memory"
                             : expression.error().detail));
        return std::nullopt;
    }

    void tell(const std::string& field, const std::string& message) {
        problems_.add(path_of(position_) + "." + field,
                      label_of(draft_, position_) + " " + message);
    }

    const DraftStep& draft_;
    std::size_t position_;
    ExpressionRoom& room_;
    Problems& problems_;
};

}  // namespace

Step compile_step(const Draft& draft, std::size_t position, ExpressionRoom& room,
                  Problems& problems) {
    return StepCompiler(draft.steps[position], position, room, problems).run();
}

}  // namespace millrace::definition
