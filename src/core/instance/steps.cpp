#include <algorithm>

#include "core/instance/machine.hpp"
#include "core/instance/tracing.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

bool is_automatic(StepType type) {
    switch (type) {
        case StepType::service_task:
        case StepType::user_task:
        case StepType::wait: return false;
        case StepType::decision:
        case StepType::transformation:
        case StepType::parallel_gateway:
        case StepType::join_gateway:
        case StepType::end: return true;
    }
    return true;
}

// RFC 3339 with whole seconds, as ${now()} promises.
std::string seconds_text(Instant now) {
    const auto day = std::chrono::floor<std::chrono::days>(now);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(now - day));
    const auto two_digits = [](auto number) {
        const std::string text = std::to_string(number);
        return text.size() == 1 ? "0" + text : text;
    };
    return std::to_string(static_cast<int>(date.year())) + "-" +
           two_digits(static_cast<unsigned>(date.month())) + "-" +
           two_digits(static_cast<unsigned>(date.day())) + "T" + two_digits(time.hours().count()) +
           ":" + two_digits(time.minutes().count()) + ":" + two_digits(time.seconds().count()) +
           "Z";
}

constexpr std::size_t kUnitsPerStep = 20;  // To enter and to leave one.

Result<json::Value> value_of(const Transformation& entry,
                             const expression::IndexedObject& variables, Instant now,
                             WorkMeter& meter) {
    if (entry.is_now) return json::Value(seconds_text(now));
    if (!entry.expression) return entry.literal;
    Result<json::Value> value = entry.expression->evaluate(variables, now, meter);
    if (value) return value;
    return Error{ErrorCode::invalid_argument,
                 "transformation \"" + entry.variable + "\": expression eval: expression \"" +
                     entry.expression->text() + "\": " + value.error().detail};
}

}  // namespace

void Machine::enter(Token token) {
    const Step* step = definition_.find_step(token.step_id);
    // Validation refuses a step that leads nowhere; a stored token may name any.
    if (step == nullptr) {
        tokens_.push_back(std::move(token));
        return fail_unfit(0, kNoSuchStep);
    }

    if (is_automatic(step->type)) effects_.automatic_steps += 1;
    (void)meter_.spend(kUnitsPerStep + step->parallel_next_steps.size());
    if (auto reason = limit_reached(*step, token)) {
        const OpenStep& opened = open(*step, std::move(token.activations));
        return fail_instance(opened.sequence, {.failure_reason = std::move(*reason)});
    }
    if (step->type == StepType::join_gateway) return arrive(*step, std::move(token));

    OpenStep& opened = open(*step, std::move(token.activations));
    switch (step->type) {
        case StepType::service_task: return enter_service_task(*step, opened, token.first_job);
        case StepType::user_task: return enter_user_task(*step, opened);
        case StepType::wait: return schedule_timers(*step, opened);
        case StepType::decision: return complete_step(opened.sequence, {});
        case StepType::transformation: return run_transformation(*step, opened.sequence);
        case StepType::parallel_gateway: return enter_gateway(*step, opened.sequence);
        case StepType::join_gateway: return;
        case StepType::end:
            close(opened, {});
            remove_open(opened.sequence);
            return complete_instance();
    }
}

OpenStep& Machine::open(const Step& step, std::vector<std::uint32_t> activations) {
    return state().open_steps.emplace_back(OpenStep{
        .sequence = next_sequence(),
        .step_id = step.id,
        .type = step.type,
        .attempt_number = count_visit(step.id),
        .started_at = now_,
        .activations = std::move(activations),
    });
}

// Where no step can be entered twice there is nothing to count, and nothing to store; until a retry
// enters one again.
std::int32_t Machine::count_visit(const std::string& step_id) {
    if (!definition_.steps_may_repeat && state().visits.empty()) return 1;
    const auto found = std::ranges::find(state().visits, step_id, &Visit::step_id);
    if (found != state().visits.end()) return ++found->count;
    state().visits.push_back({step_id, 1});
    return 1;
}

std::optional<std::string> Machine::limit_reached(const Step& step, const Token& token) {
    if (effects_.automatic_steps > limits::kAutomaticStepsMax) {
        return "more than " + std::to_string(limits::kAutomaticStepsMax) +
               " automatic steps ran without a task or a wait between them "
               "(AutomaticStepLimitReached)";
    }
    if (meter_.is_spent()) {
        return "its steps take more work than one command may, engine.commandWork "
               "(WorkLimitReached)";
    }
    const std::size_t branches = step.parallel_next_steps.size();
    if (state().open_steps.size() + tokens_.size() + branches >= limits::kOpenStepsMax) {
        return "more than " + std::to_string(limits::kOpenStepsMax) +
               " steps would be open at once (OpenStepLimitReached)";
    }
    if (token.activations.size() >= limits::kGatewayDepthMax) {
        return "parallel gateways are nested more than " +
               std::to_string(limits::kGatewayDepthMax) + " deep (GatewayDepthLimitReached)";
    }
    return std::nullopt;
}

void Machine::enter_service_task(const Step& step, OpenStep& opened, std::uint32_t first_job) {
    opened.first_job = first_job;
    const JobId id{instance().key.id.value.with_sequence(next_sequence())};
    effects_.jobs.push_back({
        .key = {id, instance().key.workspace_id},
        .job_type = {step.job_type.empty() ? step.id : step.job_type},
        .step_id = step.id,
        .retries_remaining = step.retry_count,
        .try_timeout = step.try_timeout,
        .created_at = now_,
        .first_sequence = first_job,
        .trace_parent = trace_parent_below(instance(), id.value),
    });
    schedule_timers(step, opened);
}

void Machine::enter_user_task(const Step& step, OpenStep& opened) {
    const UserTaskId id{instance().key.id.value.with_sequence(next_sequence())};
    effects_.user_tasks.push_back({
        .key = {id, instance().key.workspace_id},
        .definition_id = instance().definition.id,
        .definition_version = instance().definition.version,
        .step_id = step.id,
        .name = without_nul(step.name),
        .assignee = step.assignee,
        .candidate_groups = step.candidate_groups,
        .created_at = now_,
    });
    schedule_timers(step, opened);
}

TimerKey Machine::timer_key(const OpenTimer& timer) const {
    return {{instance().key.id.value.with_sequence(timer.sequence)}, instance().key.workspace_id};
}

void Machine::schedule_timers(const Step& step, OpenStep& opened) {
    for (std::uint32_t number = 0; number < step.boundary_timers.size(); ++number) {
        const OpenTimer timer{
            .sequence = next_sequence(),
            .boundary_timer = number,
            .fire_at = now_ + step.boundary_timers[number].duration,
        };
        effects_.timers.push_back({timer_key(timer), timer.fire_at});
        opened.timers.push_back(timer);
    }
}

void Machine::run_transformation(const Step& step, std::uint32_t sequence) {
    const Result<OpenVariables*> variables = open_variables();
    if (!variables) return fail_instance(sequence, {.failure_reason = variables.error().detail});
    // The jobs of other branches keep what the steps before this one have set.
    if (jobs_without_variables(0) > 0) write_variables();
    const Status transformed = transform(step, **variables);
    if (!transformed) {
        (*variables)->roll_back();
        return fail_instance(sequence, {.failure_reason = transformed.error().detail});
    }
    if ((*variables)->has_changed()) {
        store_job_variables(0);
        (*variables)->keep_step();
        state().variables_version += 1;
    }
    complete_step(sequence, {});
}

// Each entry sees what those before it have set.
Status Machine::transform(const Step& step, OpenVariables& variables) {
    variables.begin_step();
    for (const Transformation& entry : step.transformations) {
        Result<json::Value> value = value_of(entry, variables.members(), now_, meter_);
        if (!value) return value.error();
        variables.set(entry.variable, std::move(*value), meter_);
        if (meter_.is_spent()) {
            return Error{ErrorCode::invalid_argument,
                         "transformation \"" + entry.variable +
                             "\": it takes more work than one command may, engine.commandWork "
                             "(WorkLimitReached)"};
        }
    }
    return variables.fits();
}

}  // namespace millrace
