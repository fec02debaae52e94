#pragma once

#include "core/instance/instance.hpp"
#include "store/effects.hpp"
#include "support/jobs.hpp"

namespace millrace {

// Instance n; job_key(n) is its job.
inline InstanceKey instance_key(std::uint64_t n) {
    return {.id = {Id128::for_instance(kNoon, n)}, .workspace_id = kWorkspace};
}

// Line `sequence` of the history of instance n.
inline StepExecutionKey step_execution_key(std::uint64_t n, std::uint32_t sequence) {
    return {{instance_key(n).id.value.with_sequence(sequence)}, kWorkspace};
}

inline TimerKey timer_key(std::uint64_t n, std::uint32_t sequence = 3) {
    return {{instance_key(n).id.value.with_sequence(sequence)}, kWorkspace};
}

inline UserTaskKey user_task_key(std::uint64_t n) {
    return {{instance_key(n).id.value.with_sequence(2)}, kWorkspace};
}

inline UserTask open_user_task(std::uint64_t n) {
    return {
        .key = user_task_key(n),
        .definition_id = "order",
        .definition_version = 1,
        .step_id = "approve",
        .name = "Approve the order",
        .created_at = kNoon,
    };
}

// The smallest definition that waits for a worker.
inline DefinitionRecord definition_record(std::string id = "order", std::int32_t version = 1) {
    return {
        .workspace_id = kWorkspace,
        .id = id,
        .version = version,
        .name = "The order",
        .content = R"({"id":")" + id + R"(","name":"The order","version":)" +
                   std::to_string(version) +
                   R"(,"steps":[{"id":"charge","name":"Charge","type":"SERVICE_TASK",)"
                   R"("jobType":"charge-card","nextStep":"done"},)"
                   R"({"id":"done","name":"Done","type":"END"}]})",
        .canonical = "canonical text " + std::to_string(version),
        .uploaded_at = kNoon,
    };
}

// As a start leaves it: one step open, its job waiting.
inline Instance waiting_instance(std::uint64_t n, DefinitionRef definition = {}) {
    return {
        .key = instance_key(n),
        .definition = std::move(definition),
        .status = InstanceStatus::waiting,
        .variables = Variables::from_text(R"({"amount":)" + std::to_string(n) + "}"),
        .state = {.sequence = 2,
                  .open_steps = {{.sequence = 1,
                                  .step_id = "charge",
                                  .type = StepType::service_task,
                                  .started_at = kNoon}},
                  .visits = {{"charge", 1}}},
        .started_at = kNoon,
    };
}

inline StepExecution closed_step(std::uint64_t n, std::uint32_t sequence = 1) {
    return {
        .key = step_execution_key(n, sequence),
        .step_id = "charge",
        .step_type = StepType::service_task,
        .status = StepExecutionStatus::completed,
        .started_at = kNoon,
        .ended_at = kNoon + 1s,
        .job_status = JobState::completed,
    };
}

}  // namespace millrace
