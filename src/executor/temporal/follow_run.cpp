#include "executor/temporal/follow_run.hpp"

#include <temporal/workflow_service.pb.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "executor/temporal/find_run.hpp"
#include "executor/temporal/run_report.hpp"

namespace millrace {

namespace {

// In one call: whoever asks again goes on with the run that is reported.
constexpr int kRunsFollowedMax = 1'000;

// One walk along runs. The callbacks of its calls keep it alive.
class Walk : public std::enable_shared_from_this<Walk> {
public:
    Walk(Service& service, const ExecutionKey& execution, const RunRef& run, bool waits,
         Deadline deadline, std::function<void(CallResult<RunReport>)> done)
        : service_(service),
          execution_(execution),
          waits_(waits),
          deadline_(deadline),
          done_(std::move(done)),
          run_(run) {}

    void look() {
        find_run(service_, execution_, run_, deadline_,
                 [self = shared_from_this()](const CallStatus& status,
                                             const std::optional<DescribedRun>& found) {
                     self->looked(status, found);
                 });
    }

private:
    void looked(const CallStatus& status, const std::optional<DescribedRun>& found) {
        if (!status.is_ok()) return failed(status);
        if (!found) return report_gone();
        is_found_ = true;
        // What follows a run of ours is ours, whatever its memo says.
        is_ours_ = is_ours_ || found->is_ours;
        run_.run_id = found->run_id;
        reset_run_id_ = found->reset_run_id;
        is_closed_ = found->is_closed;
        if (is_closed_ || waits_) {
            ask_for_end({});
        } else {
            report_running();
        }
    }

    // Of a run that is closed the answer comes at once. Else the server waits, but not for long:
    // then the answer is empty, and its token says where to go on waiting.
    void ask_for_end(const std::string& page) {
        wire::GetWorkflowExecutionHistoryRequest request;
        request.set_namespace_(run_.name_space);
        request.mutable_execution()->set_workflow_id(run_.workflow_id);
        request.mutable_execution()->set_run_id(run_.run_id);
        request.set_next_page_token(page);
        request.set_wait_new_event(!is_closed_);
        request.set_history_event_filter_type(wire::HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT);
        request.set_skip_archival(true);
        service_.get_history(
            std::move(request), deadline_,
            [self = shared_from_this()](const CallStatus& status, const auto& response) {
                self->answered(status, response);
            });
    }

    void answered(const CallStatus& status,
                  const wire::GetWorkflowExecutionHistoryResponse& response) {
        if (!status.is_ok()) return failed(status);
        const auto& events = response.history().events();
        const RunEnd end = events.empty() ? RunEnd{} : run_end(*events.rbegin());
        if (!end.next_run_id.empty()) return go_on(end.next_run_id);
        if (end.state != RunState::running) return ended(end);
        if (response.next_page_token().empty()) {
            return failed({CallCode::internal, "The history of a closed run has no end."});
        }
        ask_for_end(response.next_page_token());
    }

    // A reset terminates a run, and only the run tells by which one it was replaced.
    void ended(const RunEnd& end) {
        if (end.state == RunState::terminated && !is_closed_) return look();
        if (end.state == RunState::terminated && !reset_run_id_.empty()) {
            return go_on(reset_run_id_);
        }
        report(end);
    }

    void go_on(const std::string& run_id) {
        run_.run_id = run_id;
        if (++runs_followed_ >= kRunsFollowedMax) return report_running();
        look();
    }

    void report_running() { report({}); }
    void report_gone() { done_({.answer = RunReport{}}); }

    void report(const RunEnd& end) {
        done_({.answer = RunReport{
                   .is_found = true,
                   .is_ours = is_ours_,
                   .state = end.state,
                   .run_id = run_.run_id,
                   .result = end.result,
                   .message = end.message,
               }});
    }

    void failed(const CallStatus& status) {
        if (waits_ && is_found_ && status.code == CallCode::deadline_exceeded) {
            report_running();
        } else if (status.code == CallCode::not_found) {
            report_gone();
        } else {
            done_({.failure = failure_of(status)});
        }
    }

    Service& service_;
    const ExecutionKey execution_;
    const bool waits_;
    const Deadline deadline_;
    const std::function<void(CallResult<RunReport>)> done_;
    RunRef run_;
    std::string reset_run_id_{};
    bool is_found_ = false;
    bool is_ours_ = false;
    bool is_closed_ = false;
    int runs_followed_ = 0;
};

}  // namespace

void follow_run(Service& service, const ExecutionKey& execution, const RunRef& run, bool waits,
                Deadline deadline, std::function<void(CallResult<RunReport>)> done) {
    std::make_shared<Walk>(service, execution, run, waits, deadline, std::move(done))->look();
}

}  // namespace millrace
