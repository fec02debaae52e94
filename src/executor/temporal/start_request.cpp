#include "executor/temporal/start_request.hpp"

#include <temporal/workflow_service.pb.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/json/write.hpp"
#include "executor/temporal/payloads.hpp"

namespace millrace {

namespace {

// Where Temporal's own tracing interceptors look for the trace of their caller, in all languages.
constexpr const char* kTracerData = "_tracer-data";
constexpr const char* kTraceParent = "traceparent";

void set_duration(wire::Duration& out, Duration duration) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
    out.set_seconds(seconds.count());
    out.set_nanos(static_cast<std::int32_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(duration - seconds).count()));
}

void set_field(wire::Fields& fields, const char* name, const json::Value& value) {
    set_json((*fields.mutable_fields())[name], json::write(value));
}

void set_retry(const RunRetry& retry, wire::RetryPolicy& out) {
    if (retry.initial_interval) {
        set_duration(*out.mutable_initial_interval(), *retry.initial_interval);
    }
    if (retry.backoff_coefficient) out.set_backoff_coefficient(*retry.backoff_coefficient);
    if (retry.maximum_interval) {
        set_duration(*out.mutable_maximum_interval(), *retry.maximum_interval);
    }
    out.set_maximum_attempts(retry.maximum_attempts);
    for (const std::string& type : retry.non_retryable_error_types) {
        out.add_non_retryable_error_types(type);
    }
}

void set_policies(const ExecutorSpec& spec, wire::StartWorkflowExecutionRequest& request) {
    request.set_workflow_id_reuse_policy(wire::WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE);
    request.set_workflow_id_conflict_policy(wire::WORKFLOW_ID_CONFLICT_POLICY_FAIL);
    if (spec.execution_timeout) {
        set_duration(*request.mutable_workflow_execution_timeout(), *spec.execution_timeout);
    }
    if (spec.run_timeout) {
        set_duration(*request.mutable_workflow_run_timeout(), *spec.run_timeout);
    }
    if (spec.task_timeout) {
        set_duration(*request.mutable_workflow_task_timeout(), *spec.task_timeout);
    }
    if (spec.retry) set_retry(*spec.retry, *request.mutable_retry_policy());
}

void set_memo(const StartRun& start, wire::Fields& memo) {
    set_field(memo, kMemoExecutionId, to_string(start.execution.id.value));
    set_field(memo, kMemoWorkspaceId, start.execution.workspace_id.value);
    set_field(memo, kMemoDefinitionId, start.definition.id);
    set_field(memo, kMemoDefinitionVersion, start.definition.version);
}

void set_trace(const std::string& trace_parent, wire::Fields& header) {
    set_field(header, kTraceParent, trace_parent);
    set_field(header, kTracerData, json::Object{{kTraceParent, trace_parent}});
}

}  // namespace

void fill_start_request(const StartRun& start, const TemporalOptions& options,
                        wire::StartWorkflowExecutionRequest& request) {
    const ExecutorSpec& spec = start.spec;
    request.set_namespace_(spec.name_space.empty() ? options.name_space : spec.name_space);
    request.set_workflow_id(workflow_id(start.execution));
    request.mutable_workflow_type()->set_name(spec.workflow_type);
    request.mutable_task_queue()->set_name(spec.task_queue.empty() ? options.task_queue
                                                                   : spec.task_queue);
    request.mutable_task_queue()->set_kind(wire::TASK_QUEUE_KIND_NORMAL);
    set_json(*request.mutable_input()->add_payloads(), start.payload);
    request.set_identity(options.identity);
    request.set_request_id(to_string(start.execution.id.value));
    set_policies(spec, request);
    set_memo(start, *request.mutable_memo());
    if (!start.trace_parent.empty()) set_trace(start.trace_parent, *request.mutable_header());
}

}  // namespace millrace
