#pragma once

// Names of generated messages, for headers: the generated code itself stays in .cpp files.
namespace temporal::api::workflowservice::v1 {
class CompletedAttributes;
class DescribeNamespaceRequest;
class DescribeNamespaceResponse;
class DescribeWorkflowExecutionRequest;
class DescribeWorkflowExecutionResponse;
class Failure;
class Fields;
class GetSystemInfoRequest;
class GetSystemInfoResponse;
class GetWorkflowExecutionHistoryRequest;
class GetWorkflowExecutionHistoryResponse;
class HistoryEvent;
class ListWorkflowExecutionsRequest;
class ListWorkflowExecutionsResponse;
class Payload;
class Payloads;
class RequestCancelWorkflowExecutionRequest;
class RequestCancelWorkflowExecutionResponse;
class StartWorkflowExecutionRequest;
class StartWorkflowExecutionResponse;
class TerminateWorkflowExecutionRequest;
class TerminateWorkflowExecutionResponse;
class WorkflowExecutionInfo;
}  // namespace temporal::api::workflowservice::v1

namespace millrace {

namespace wire = ::temporal::api::workflowservice::v1;

}  // namespace millrace
