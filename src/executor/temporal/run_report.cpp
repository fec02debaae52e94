#include "executor/temporal/run_report.hpp"

#include <temporal/workflow_service.pb.h>

#include "core/bounded_message.hpp"
#include "executor/temporal/payloads.hpp"

namespace millrace {

namespace {

constexpr int kCausesMax = 16;  // Failures of children of children; deeper tells nobody more.

bool is_closed(wire::WorkflowExecutionStatus status) {
    return status >= wire::WORKFLOW_EXECUTION_STATUS_COMPLETED &&
           status <= wire::WORKFLOW_EXECUTION_STATUS_TIMED_OUT;
}

// "activity error: no such account": the outermost says where, the innermost what.
std::string message_of(const wire::Failure& failure) {
    std::string message = failure.message();
    const wire::Failure* at = &failure;
    for (int depth = 0; depth < kCausesMax && at->has_cause(); ++depth) {
        at = &at->cause();
        if (at->message().empty()) continue;
        if (!message.empty()) message += ": ";
        message += at->message();
    }
    return bounded_message(std::move(message));
}

}  // namespace

DescribedRun described_run(const wire::DescribeWorkflowExecutionResponse& response,
                           const ExecutionKey& execution) {
    const wire::WorkflowExecutionInfo& info = response.workflow_execution_info();
    return {
        .run_id = info.execution().run_id(),
        .first_run_id = info.first_run_id(),
        .reset_run_id = response.workflow_extended_info().reset_run_id(),
        .is_closed = is_closed(info.status()),
        .is_ours = names_execution(info.memo(), execution),
    };
}

RunEnd run_end(const wire::HistoryEvent& event) {
    switch (event.attributes_case()) {
        case wire::HistoryEvent::kWorkflowExecutionCompletedEventAttributes: {
            const auto& completed = event.workflow_execution_completed_event_attributes();
            return {.state = RunState::completed,
                    .next_run_id = completed.new_execution_run_id(),
                    .result = result_text(completed.result())};
        }
        case wire::HistoryEvent::kWorkflowExecutionFailedEventAttributes: {
            const auto& failed = event.workflow_execution_failed_event_attributes();
            return {.state = RunState::failed,
                    .next_run_id = failed.new_execution_run_id(),
                    .message = message_of(failed.failure())};
        }
        case wire::HistoryEvent::kWorkflowExecutionTimedOutEventAttributes:
            return {
                .state = RunState::timed_out,
                .next_run_id =
                    event.workflow_execution_timed_out_event_attributes().new_execution_run_id(),
                .message = "The run took longer than its time-out."};
        case wire::HistoryEvent::kWorkflowExecutionTerminatedEventAttributes:
            return {.state = RunState::terminated,
                    .message = bounded_message(
                        event.workflow_execution_terminated_event_attributes().reason())};
        case wire::HistoryEvent::kWorkflowExecutionCanceledEventAttributes:
            return {.state = RunState::cancelled};
        case wire::HistoryEvent::kWorkflowExecutionContinuedAsNewEventAttributes:
            return {.next_run_id = event.workflow_execution_continued_as_new_event_attributes()
                                       .new_execution_run_id()};
        case wire::HistoryEvent::ATTRIBUTES_NOT_SET: break;
    }
    return {};
}

}  // namespace millrace
