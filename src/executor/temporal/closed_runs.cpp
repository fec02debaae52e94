#include "executor/temporal/closed_runs.hpp"

#include <temporal/workflow_service.pb.h>

#include "core/expression/time_value.hpp"
#include "executor/temporal/payloads.hpp"

namespace millrace {

namespace {

// workflow_id() of core/queue begins so.
const std::string kIdPrefix = "execution-";

}  // namespace

std::string closed_runs_query(Instant since) {
    // A run that is not closed closes, to servers on SQL, at the end of all times.
    return "WorkflowId STARTS_WITH \"" + kIdPrefix + "\" AND CloseTime >= \"" +
           expression::format_time({since}) +
           "\" AND ExecutionStatus != \"Running\" AND ExecutionStatus != \"ContinuedAsNew\"";
}

ClosedRuns closed_runs(const wire::ListWorkflowExecutionsResponse& response) {
    ClosedRuns runs{.next_page = response.next_page_token()};
    for (const wire::WorkflowExecutionInfo& info : response.executions()) {
        const std::optional<std::string> id = memo_text(info.memo(), kMemoExecutionId);
        const std::string& workflow_id = info.execution().workflow_id();
        if (id && workflow_id == kIdPrefix + *id) runs.workflow_ids.push_back(workflow_id);
    }
    return runs;
}

}  // namespace millrace
