#include "executor/temporal/find_run.hpp"

#include <temporal/workflow_service.pb.h>

#include <utility>

namespace millrace {

namespace {

wire::DescribeWorkflowExecutionRequest request_for(const RunRef& run) {
    wire::DescribeWorkflowExecutionRequest request;
    request.set_namespace_(run.name_space);
    request.mutable_execution()->set_workflow_id(run.workflow_id);
    request.mutable_execution()->set_run_id(run.run_id);
    return request;
}

void ask_first_run(Service& service, const ExecutionKey& execution, RunRef first,
                   const DescribedRun& found, Deadline deadline, FoundRun done) {
    service.describe(
        request_for(first), deadline,
        [execution, found, done = std::move(done)](const CallStatus& status, const auto& response) {
            // The first one may be gone already; then nothing says that it is ours.
            if (!status.is_ok() && status.code != CallCode::not_found) {
                done(status, std::nullopt);
                return;
            }
            DescribedRun answer = found;
            answer.is_ours = status.is_ok() && described_run(response, execution).is_ours;
            done({}, answer);
        });
}

}  // namespace

void find_run(Service& service, const ExecutionKey& execution, const RunRef& run, Deadline deadline,
              FoundRun done) {
    service.describe(
        request_for(run), deadline,
        [&service, execution, run, deadline, done = std::move(done)](const CallStatus& status,
                                                                     const auto& response) {
            if (!status.is_ok()) {
                done(status.code == CallCode::not_found ? CallStatus{} : status, std::nullopt);
                return;
            }
            const DescribedRun found = described_run(response, execution);
            const bool is_first = found.first_run_id.empty() || found.first_run_id == found.run_id;
            if (found.is_ours || is_first) {
                done({}, found);
                return;
            }
            RunRef first = run;
            first.run_id = found.first_run_id;
            ask_first_run(service, execution, std::move(first), found, deadline, done);
        });
}

}  // namespace millrace
