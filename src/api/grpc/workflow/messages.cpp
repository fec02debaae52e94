#include "api/grpc/workflow/messages.hpp"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <limits>

#include "api/grpc/workflow/struct_json.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

constexpr std::string_view kStepTypePrefix = "STEP_TYPE_";
constexpr std::string_view kInstanceStatusPrefix = "INSTANCE_STATUS_";
constexpr std::string_view kStepStatusPrefix = "STEP_EXECUTION_STATUS_";
constexpr std::string_view kBoundaryTypePrefix = "BOUNDARY_EVENT_TYPE_";

Error unknown_number(const std::string& path, int number) {
    const std::string reason = path + ": " + std::to_string(number) + " means nothing here";
    return {ErrorCode::invalid_argument, reason, {{path, reason}}};
}

Result<std::string> text_without(std::string_view prefix, const std::string& name,
                                 const std::string& path, int number) {
    if (name.empty()) return unknown_number(path, number);
    return name.substr(prefix.size());
}

}  // namespace

std::string text_at(const json::Value& object, std::string_view key) {
    const json::Value* member = object.find(key);
    const std::string* text = member != nullptr ? member->if_string() : nullptr;
    return text != nullptr ? *text : std::string();
}

std::int32_t number_at(const json::Value& object, std::string_view key) {
    using Limits = std::numeric_limits<std::int32_t>;
    const json::Value* member = object.find(key);
    const std::int64_t* number = member != nullptr ? member->if_integer() : nullptr;
    if (number == nullptr) return 0;
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(*number, Limits::min(), Limits::max()));
}

bool flag_at(const json::Value& object, std::string_view key) {
    const json::Value* member = object.find(key);
    const bool* flag = member != nullptr ? member->if_boolean() : nullptr;
    return flag != nullptr && *flag;
}

const json::Array& array_at(const json::Value& object, std::string_view key) {
    static const json::Array kNone;
    const json::Value* member = object.find(key);
    const json::Array* array = member != nullptr ? member->if_array() : nullptr;
    return array != nullptr ? *array : kNone;
}

std::optional<google::protobuf::Timestamp> time_at(const json::Value& object,
                                                   std::string_view key) {
    google::protobuf::Timestamp time;
    const std::string text = text_at(object, key);
    const bool is_time = !text.empty() && google::protobuf::util::TimeUtil::FromString(text, &time);
    return is_time ? std::optional(time) : std::nullopt;
}

Result<std::string> text_of(wire::StepType type, const std::string& path) {
    return text_without(kStepTypePrefix, wire::StepType_Name(type), path, type);
}

Result<std::string> text_of(wire::InstanceStatus status, const std::string& path) {
    return text_without(kInstanceStatusPrefix, wire::InstanceStatus_Name(status), path, status);
}

Result<std::string> text_of(wire::BoundaryEventType type, const std::string& path) {
    return text_without(kBoundaryTypePrefix, wire::BoundaryEventType_Name(type), path, type);
}

wire::StepType step_type_of(std::string_view text) {
    wire::StepType type = wire::STEP_TYPE_UNSPECIFIED;
    (void)wire::StepType_Parse(std::string(kStepTypePrefix).append(text), &type);
    return type;
}

wire::InstanceStatus instance_status_of(std::string_view text) {
    wire::InstanceStatus status = wire::INSTANCE_STATUS_UNSPECIFIED;
    (void)wire::InstanceStatus_Parse(std::string(kInstanceStatusPrefix).append(text), &status);
    return status;
}

wire::StepExecutionStatus step_status_of(std::string_view text) {
    wire::StepExecutionStatus status = wire::STEP_EXECUTION_STATUS_UNSPECIFIED;
    (void)wire::StepExecutionStatus_Parse(std::string(kStepStatusPrefix).append(text), &status);
    return status;
}

wire::BoundaryEventType boundary_type_of(std::string_view text) {
    wire::BoundaryEventType type = wire::BOUNDARY_EVENT_TYPE_UNSPECIFIED;
    (void)wire::BoundaryEventType_Parse(std::string(kBoundaryTypePrefix).append(text), &type);
    return type;
}

Result<std::string> page_query(std::int32_t page, std::int32_t page_size) {
    if (page < 0) {
        const std::string reason = "page must not be negative";
        return Error{ErrorCode::invalid_argument, reason, {{"page", reason}}};
    }
    const std::int32_t size = page_size > 0 ? page_size : limits::kPageSizeDefault;
    return "page=" + std::to_string(page) + "&pageSize=" + std::to_string(size);
}

Status fill(wire::WorkflowInstance& into, const json::Value& instance) {
    into.set_id(text_at(instance, "id"));
    into.set_definition_id(text_at(instance, "definitionId"));
    into.set_definition_version(number_at(instance, "definitionVersion"));
    into.set_status(instance_status_of(text_at(instance, "status")));
    for (const json::Value& step : array_at(instance, "currentStepIds")) {
        if (const std::string* id = step.if_string()) into.add_current_step_ids(*id);
    }
    if (const auto time = time_at(instance, "startedAt")) *into.mutable_started_at() = *time;
    if (const auto time = time_at(instance, "completedAt")) *into.mutable_completed_at() = *time;
    into.set_failure_reason(text_at(instance, "failureReason"));
    into.set_business_key(text_at(instance, "businessKey"));
    const json::Value* variables = instance.find("variables");
    return variables != nullptr ? fill(*into.mutable_variables(), *variables) : ok();
}

Status fill(wire::Job& into, const json::Value& job) {
    into.set_id(text_at(job, "id"));
    into.set_job_type(text_at(job, "jobType"));
    into.set_instance_id(text_at(job, "instanceId"));
    into.set_step_id(text_at(job, "stepId"));
    into.set_step_execution_id(text_at(job, "stepExecutionId"));
    into.set_retries_remaining(number_at(job, "retriesRemaining"));
    if (const auto time = time_at(job, "lockExpiresAt")) *into.mutable_lock_expires_at() = *time;
    const json::Value* variables = job.find("variables");
    return variables != nullptr ? fill(*into.mutable_variables(), *variables) : ok();
}

void fill(wire::StepExecution& into, const json::Value& line) {
    into.set_id(text_at(line, "id"));
    into.set_instance_id(text_at(line, "instanceId"));
    into.set_step_id(text_at(line, "stepId"));
    into.set_step_type(step_type_of(text_at(line, "stepType")));
    into.set_attempt_number(number_at(line, "attemptNumber"));
    into.set_status(step_status_of(text_at(line, "status")));
    if (const auto time = time_at(line, "startedAt")) *into.mutable_started_at() = *time;
    if (const auto time = time_at(line, "endedAt")) *into.mutable_ended_at() = *time;
    into.set_failure_reason(text_at(line, "failureReason"));
}

}  // namespace millrace::rpc
