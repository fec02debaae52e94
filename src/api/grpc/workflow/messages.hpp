#pragma once

#include <google/protobuf/timestamp.pb.h>
#include <workflow/v1/engine.pb.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/json/value.hpp"
#include "base/result.hpp"

// Between the messages of workflow.v1 and the JSON of REST. What the JSON lacks stays as it is.
namespace millrace::rpc {

namespace wire = ::workflow::v1;

// The member of that name: empty, 0 or null when there is none of that kind.
std::string text_at(const json::Value& object, std::string_view key);
std::int32_t number_at(const json::Value& object, std::string_view key);
bool flag_at(const json::Value& object, std::string_view key);
const json::Array& array_at(const json::Value& object, std::string_view key);

std::optional<google::protobuf::Timestamp> time_at(const json::Value& object, std::string_view key);

// The text without its prefix: ACTIVE. invalid_argument: the number means nothing.
Result<std::string> text_of(wire::StepType type, const std::string& path);
Result<std::string> text_of(wire::InstanceStatus status, const std::string& path);
Result<std::string> text_of(wire::BoundaryEventType type, const std::string& path);
// Unspecified for a text that means nothing here.
wire::StepType step_type_of(std::string_view text);
wire::InstanceStatus instance_status_of(std::string_view text);
wire::StepExecutionStatus step_status_of(std::string_view text);
wire::BoundaryEventType boundary_type_of(std::string_view text);

// page=0&pageSize=20. invalid_argument: there is no page before the first.
Result<std::string> page_query(std::int32_t page, std::int32_t page_size);

Status fill(wire::WorkflowInstance& into, const json::Value& instance);
Status fill(wire::Job& into, const json::Value& job);
void fill(wire::StepExecution& into, const json::Value& line);

}  // namespace millrace::rpc
