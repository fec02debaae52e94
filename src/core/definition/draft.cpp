#include "core/definition/draft.hpp"

namespace millrace::definition {

namespace {

std::string_view text_of(const json::Value& object, std::string_view field) {
    const json::Value* value = object.find(field);
    return value == nullptr ? std::string_view{} : *value->if_string();
}

bool flag_of(const json::Value& object, std::string_view field) {
    const json::Value* value = object.find(field);
    return value != nullptr && *value->if_boolean();
}

std::span<const json::Value> items_of(const json::Value& object, std::string_view field) {
    const json::Value* value = object.find(field);
    if (value == nullptr) return {};
    return *value->if_array();
}

std::span<const json::Member> members_of(const json::Value& object, std::string_view field) {
    const json::Value* value = object.find(field);
    if (value == nullptr) return {};
    return *value->if_object();
}

std::vector<std::string_view> texts_of(const json::Value& object, std::string_view field) {
    std::vector<std::string_view> texts;
    for (const json::Value& item : items_of(object, field)) texts.push_back(*item.if_string());
    return texts;
}

std::int64_t integer_of(const json::Value& object, std::string_view field) {
    const json::Value* value = object.find(field);
    return value == nullptr ? 0 : *value->if_integer();
}

DraftBoundaryEvent read_boundary_event(const json::Value& event) {
    return {
        .type = text_of(event, "type"),
        .duration = text_of(event, "duration"),
        .interrupting = flag_of(event, "interrupting"),
        .target_step_id = text_of(event, "targetStepId"),
    };
}

std::optional<double> number_of(const json::Value& object, std::string_view field) {
    const json::Value* value = object.find(field);
    if (value == nullptr) return std::nullopt;
    const std::int64_t* integer = value->if_integer();
    return integer == nullptr ? *value->if_number() : static_cast<double>(*integer);
}

std::optional<DraftRetryPolicy> read_retry_policy(const json::Value& step) {
    const json::Value* policy = step.find("retryPolicy");
    if (policy == nullptr) return std::nullopt;
    return DraftRetryPolicy{
        .initial_delay = text_of(*policy, "initialDelay"),
        .factor = number_of(*policy, "factor"),
        .max_delay = text_of(*policy, "maxDelay"),
        .jitter = number_of(*policy, "jitter"),
    };
}

DraftStep read_step(const json::Value& step) {
    DraftStep out{
        .id = text_of(step, "id"),
        .name = text_of(step, "name"),
        .type_text = text_of(step, "type"),
        .type = parse_step_type(text_of(step, "type")),
        .next_step = text_of(step, "nextStep"),
        .parallel_next_steps = texts_of(step, "parallelNextSteps"),
        .join_step = text_of(step, "joinStep"),
        .conditional_next_steps = members_of(step, "conditionalNextSteps"),
        .transformations = members_of(step, "transformations"),
        .job_type = text_of(step, "jobType"),
        .retry_count = integer_of(step, "retryCount"),
        .retry_policy = read_retry_policy(step),
        .timeout = text_of(step, "timeout"),
        .assignee = text_of(step, "assignee"),
        .candidate_groups = texts_of(step, "candidateGroups"),
        .form = step.find("form"),
    };
    for (const json::Value& event : items_of(step, "boundaryEvents")) {
        out.boundary_events.push_back(read_boundary_event(event));
    }
    return out;
}

std::optional<DraftTimeouts> read_timeouts(const json::Value& executor) {
    const json::Value* timeouts = executor.find("timeouts");
    if (timeouts == nullptr) return std::nullopt;
    return DraftTimeouts{
        .execution = text_of(*timeouts, "execution"),
        .run = text_of(*timeouts, "run"),
        .task = text_of(*timeouts, "task"),
    };
}

std::optional<DraftRunRetry> read_run_retry(const json::Value& executor) {
    const json::Value* retry = executor.find("retry");
    if (retry == nullptr) return std::nullopt;
    return DraftRunRetry{
        .initial_interval = text_of(*retry, "initialInterval"),
        .backoff_coefficient = number_of(*retry, "backoffCoefficient"),
        .maximum_interval = text_of(*retry, "maximumInterval"),
        .maximum_attempts = integer_of(*retry, "maximumAttempts"),
        .non_retryable_error_types = texts_of(*retry, "nonRetryableErrorTypes"),
    };
}

std::optional<DraftExecutor> read_executor(const json::Value& document) {
    const json::Value* executor = document.find("executor");
    if (executor == nullptr) return std::nullopt;
    return DraftExecutor{
        .kind_text = text_of(*executor, "kind"),
        .kind = parse_executor_kind(text_of(*executor, "kind")),
        .target = text_of(*executor, "target"),
        .name_space = text_of(*executor, "namespace"),
        .task_queue = text_of(*executor, "taskQueue"),
        .workflow_type = text_of(*executor, "workflowType"),
        .timeouts = read_timeouts(*executor),
        .retry = read_run_retry(*executor),
    };
}

}  // namespace

const DraftStep* Draft::find_step(std::string_view step_id) const {
    const auto found = index.find(step_id);
    return found == index.end() ? nullptr : &steps[found->second];
}

Draft read_draft(const json::Value& normalized) {
    Draft draft{
        .id = text_of(normalized, "id"),
        .name = text_of(normalized, "name"),
        .auto_start_next_workflow = flag_of(normalized, "autoStartNextWorkflow"),
        .next_workflow_id = text_of(normalized, "nextWorkflowId"),
        .executor = read_executor(normalized),
        .max_attempts = integer_of(normalized, "maxAttempts"),
    };
    for (const json::Value& step : items_of(normalized, "steps")) {
        draft.steps.push_back(read_step(step));
        const std::string_view id = draft.steps.back().id;
        if (!id.empty()) draft.index.try_emplace(id, draft.steps.size() - 1);
    }
    return draft;
}

}  // namespace millrace::definition
