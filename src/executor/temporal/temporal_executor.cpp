#include "executor/temporal/temporal_executor.hpp"

#include <temporal/workflow_service.pb.h>

#include <utility>

#include "executor/temporal/channel.hpp"
#include "executor/temporal/closed_runs.hpp"
#include "executor/temporal/follow_run.hpp"
#include "executor/temporal/service.hpp"
#include "executor/temporal/start_run.hpp"

namespace millrace {

namespace {

constexpr int kClosedRunsPageSize = 500;  // Of ids and memos: some hundred kilobytes.

class TemporalExecutor final : public RemoteExecutor {
public:
    TemporalExecutor(TemporalOptions options, std::shared_ptr<grpc::Channel> channel,
                     std::shared_ptr<grpc::Channel> channel_of_waiting)
        : options_(std::move(options)),
          service_(std::move(channel), options_.api_key),
          waiting_(std::move(channel_of_waiting), options_.api_key) {}

    void start(const StartRun& request, Duration timeout,
               std::function<void(StartAnswer)> done) override {
        start_run(service_, options_, request, deadline_in(timeout), std::move(done));
    }

    void describe(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                  std::function<void(CallResult<RunReport>)> done) override {
        follow_run(service_, execution, completed(run), false, deadline_in(timeout),
                   std::move(done));
    }

    void await_end(const ExecutionKey& execution, const RunRef& run, Duration timeout,
                   std::function<void(CallResult<RunReport>)> done) override {
        follow_run(waiting_, execution, completed(run), true, deadline_in(timeout),
                   std::move(done));
    }

    void cancel(const RunRef& run, const std::string& reason, bool is_forced, Duration timeout,
                std::function<void(CallResult<bool>)> done) override;

    void describe_namespace(const std::string& name_space, Duration timeout,
                            std::function<void(CallResult<NamespaceReport>)> done) override;

    void list_closed(const std::string& name_space, Instant since, const std::string& page,
                     Duration timeout, std::function<void(CallResult<ClosedRuns>)> done) override;

    void stop() override {
        service_.stop();
        waiting_.stop();
    }

private:
    std::string named(const std::string& name_space) const {
        return name_space.empty() ? options_.name_space : name_space;
    }
    RunRef completed(RunRef run) const {
        run.name_space = named(run.name_space);
        return run;
    }

    const TemporalOptions options_;
    // Last: their ends wait for calls that use the rest. Calls that wait for the end of a run have
    // a connection of their own, for a proxy may allow a hundred calls on one: then a start would
    // wait behind them, and be in doubt although it was never sent.
    Service service_;
    Service waiting_;
};

// A run that is over or not there needs no end, though some servers accept the request; one that
// was asked before is asked.
CallResult<bool> cancelled(const CallStatus& status) {
    if (status.is_ok() || status.code == CallCode::already_exists) return {.answer = true};
    if (status.code == CallCode::not_found) return {.answer = false};
    return {.failure = failure_of(status)};
}

// The latest run is meant, whichever of those that follow each other the caller knows: the id is
// ours for all of them.
void TemporalExecutor::cancel(const RunRef& run, const std::string& reason, bool is_forced,
                              Duration timeout, std::function<void(CallResult<bool>)> done) {
    const auto answered = [done = std::move(done)](const CallStatus& status, const auto&) {
        done(cancelled(status));
    };
    if (is_forced) {
        wire::TerminateWorkflowExecutionRequest request;
        request.set_namespace_(named(run.name_space));
        request.mutable_workflow_execution()->set_workflow_id(run.workflow_id);
        request.set_reason(reason);
        request.set_identity(options_.identity);
        service_.terminate(std::move(request), deadline_in(timeout), answered);
    } else {
        wire::RequestCancelWorkflowExecutionRequest request;
        request.set_namespace_(named(run.name_space));
        request.mutable_workflow_execution()->set_workflow_id(run.workflow_id);
        request.set_reason(reason);
        request.set_identity(options_.identity);
        request.set_request_id(run.workflow_id);
        service_.request_cancel(std::move(request), deadline_in(timeout), answered);
    }
}

void TemporalExecutor::describe_namespace(const std::string& name_space, Duration timeout,
                                          std::function<void(CallResult<NamespaceReport>)> done) {
    wire::DescribeNamespaceRequest request;
    request.set_namespace_(named(name_space));
    service_.describe_namespace(
        std::move(request), deadline_in(timeout),
        [done = std::move(done)](const CallStatus& status, const auto& response) {
            if (status.code == CallCode::not_found) return done({.answer = NamespaceReport{}});
            if (!status.is_ok()) return done({.failure = failure_of(status)});
            const wire::Duration& kept = response.config().workflow_execution_retention_ttl();
            done({.answer = NamespaceReport{
                      .is_found = true,
                      .retention = std::chrono::seconds(kept.seconds()) +
                                   std::chrono::duration_cast<Duration>(
                                       std::chrono::nanoseconds(kept.nanos())),
                  }});
        });
}

void TemporalExecutor::list_closed(const std::string& name_space, Instant since,
                                   const std::string& page, Duration timeout,
                                   std::function<void(CallResult<ClosedRuns>)> done) {
    wire::ListWorkflowExecutionsRequest request;
    request.set_namespace_(named(name_space));
    request.set_page_size(kClosedRunsPageSize);
    request.set_next_page_token(page);
    request.set_query(closed_runs_query(since));
    service_.list(std::move(request), deadline_in(timeout),
                  [done = std::move(done)](const CallStatus& status, const auto& response) {
                      if (!status.is_ok()) return done({.failure = failure_of(status)});
                      done({.answer = closed_runs(response)});
                  });
}

}  // namespace

Result<std::unique_ptr<RemoteExecutor>> open_temporal(const TemporalOptions& options) {
    Result<std::shared_ptr<grpc::Channel>> channel = open_channel(options);
    if (!channel) return channel.error();
    Result<std::shared_ptr<grpc::Channel>> channel_of_waiting = open_channel(options);
    if (!channel_of_waiting) return channel_of_waiting.error();
    return std::unique_ptr<RemoteExecutor>(std::make_unique<TemporalExecutor>(
        options, std::move(*channel), std::move(*channel_of_waiting)));
}

}  // namespace millrace
