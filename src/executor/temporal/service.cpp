#include "executor/temporal/service.hpp"

#include <grpc/support/time.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <temporal/workflow_service.grpc.pb.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace millrace {

namespace {

CallStatus status_of(const grpc::Status& status) {
    return told_by_grpc(static_cast<CallCode>(status.error_code()), status.error_message());
}

}  // namespace

bool is_header_text(std::string_view text) {
    return std::ranges::all_of(text, [](char each) { return each >= ' ' && each <= '~'; });
}

Deadline deadline_in(Duration timeout) {
    const gpr_timespec moment = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                             gpr_time_from_micros(timeout.count(), GPR_TIMESPAN));
    return {.seconds = moment.tv_sec, .nanoseconds = moment.tv_nsec};
}

class Service::Stub {
public:
    explicit Stub(const std::shared_ptr<grpc::Channel>& channel)
        : stub_(wire::WorkflowService::NewStub(channel)) {}

    auto* async() { return stub_->async(); }

private:
    std::unique_ptr<wire::WorkflowService::Stub> stub_;
};

struct Service::Call {
    Call() = default;
    virtual ~Call() = default;
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    grpc::ClientContext context{};
};

template <class Request, class Response>
struct Service::CallOf : Service::Call {
    CallOf(Request&& sent, Done<Response> called)
        : request(std::move(sent)), done(std::move(called)) {}

    Request request;
    Response response{};
    Done<Response> done;
};

Service::Service(std::shared_ptr<grpc::Channel> channel, std::string api_key)
    : channel_(std::move(channel)),
      stub_(std::make_unique<Stub>(channel_)),
      authorization_(api_key.empty() ? "" : "Bearer " + api_key) {}

Service::~Service() {
    stop();
    const MutexLock lock(mutex_);
    while (calls_ > 0) all_ended_.wait(mutex_);
}

template <class Method, class Request, class Response>
void Service::issue(Method method, Request&& request, Deadline deadline, Done<Response> done) {
    auto call = std::make_shared<CallOf<Request, Response>>(std::move(request), std::move(done));
    call->context.set_deadline(gpr_timespec{.tv_sec = deadline.seconds,
                                            .tv_nsec = deadline.nanoseconds,
                                            .clock_type = GPR_CLOCK_MONOTONIC});
    if (!authorization_.empty()) call->context.AddMetadata("authorization", authorization_);
    // Hosted clusters find the namespace by it. No namespace has a name that a header cannot say.
    if constexpr (requires { call->request.namespace_(); }) {
        if (is_header_text(call->request.namespace_())) {
            call->context.AddMetadata("temporal-namespace", call->request.namespace_());
        }
    }
    begin(call);
    std::function<void(grpc::Status)> ended = [this, call](const grpc::Status& status) mutable {
        const CallStatus outcome = status_of(status);
        note(outcome);
        call->done(outcome, call->response);
        call->done = nullptr;
        end(std::move(call));
    };
    method(*stub_->async(), &call->context, &call->request, &call->response, std::move(ended));
}

void Service::begin(const std::shared_ptr<Call>& call) {
    const MutexLock lock(mutex_);
    ++calls_;
    under_way_.insert(call);
    // Not begun yet: this only marks it.
    if (is_stopped_) call->context.TryCancel();
}

void Service::end(std::shared_ptr<Call> call) {
    {
        const MutexLock lock(mutex_);
        under_way_.erase(call);
    }
    // Before the count says so: it holds the channel, and gRPC waits in the end of the last channel
    // for its own threads, of which this is one.
    call.reset();
    const MutexLock lock(mutex_);
    if (--calls_ == 0) all_ended_.notify_all();
}

void Service::note(const CallStatus& status) {
    if (status.code == CallCode::unavailable) is_lost_ = true;
    if (is_answer(status.code)) is_lost_ = false;
}

void Service::start(wire::StartWorkflowExecutionRequest&& request, Deadline deadline,
                    Done<wire::StartWorkflowExecutionResponse> done) {
    issue(
        [](auto& stub, auto&&... sent) {
            stub.StartWorkflowExecution(std::forward<decltype(sent)>(sent)...);
        },
        std::move(request), deadline, std::move(done));
}

void Service::describe(wire::DescribeWorkflowExecutionRequest&& request, Deadline deadline,
                       Done<wire::DescribeWorkflowExecutionResponse> done) {
    issue(
        [](auto& stub, auto&&... sent) {
            stub.DescribeWorkflowExecution(std::forward<decltype(sent)>(sent)...);
        },
        std::move(request), deadline, std::move(done));
}

void Service::get_history(wire::GetWorkflowExecutionHistoryRequest&& request, Deadline deadline,
                          Done<wire::GetWorkflowExecutionHistoryResponse> done) {
    issue(
        [](auto& stub, auto&&... sent) {
            stub.GetWorkflowExecutionHistory(std::forward<decltype(sent)>(sent)...);
        },
        std::move(request), deadline, std::move(done));
}

void Service::list(wire::ListWorkflowExecutionsRequest&& request, Deadline deadline,
                   Done<wire::ListWorkflowExecutionsResponse> done) {
    issue(
        [](auto& stub, auto&&... sent) {
            stub.ListWorkflowExecutions(std::forward<decltype(sent)>(sent)...);
        },
        std::move(request), deadline, std::move(done));
}

void Service::request_cancel(wire::RequestCancelWorkflowExecutionRequest&& request,
                             Deadline deadline,
                             Done<wire::RequestCancelWorkflowExecutionResponse> done) {
    issue(
        [](auto& stub, auto&&... sent) {
            stub.RequestCancelWorkflowExecution(std::forward<decltype(sent)>(sent)...);
        },
        std::move(request), deadline, std::move(done));
}

void Service::terminate(wire::TerminateWorkflowExecutionRequest&& request, Deadline deadline,
                        Done<wire::TerminateWorkflowExecutionResponse> done) {
    issue(
        [](auto& stub, auto&&... sent) {
            stub.TerminateWorkflowExecution(std::forward<decltype(sent)>(sent)...);
        },
        std::move(request), deadline, std::move(done));
}

void Service::describe_namespace(wire::DescribeNamespaceRequest&& request, Deadline deadline,
                                 Done<wire::DescribeNamespaceResponse> done) {
    issue([](auto& stub,
             auto&&... sent) { stub.DescribeNamespace(std::forward<decltype(sent)>(sent)...); },
          std::move(request), deadline, std::move(done));
}

void Service::get_system_info(wire::GetSystemInfoRequest&& request, Deadline deadline,
                              Done<wire::GetSystemInfoResponse> done) {
    issue([](auto& stub,
             auto&&... sent) { stub.GetSystemInfo(std::forward<decltype(sent)>(sent)...); },
          std::move(request), deadline, std::move(done));
}

bool Service::is_connected() const {
    constexpr bool kConnectsNow = true;
    return channel_->GetState(kConnectsNow) == GRPC_CHANNEL_READY && !is_lost_;
}

void Service::stop() {
    std::vector<std::shared_ptr<Call>> ending;
    {
        const MutexLock lock(mutex_);
        is_stopped_ = true;
        ending.assign(under_way_.begin(), under_way_.end());
    }
    for (const std::shared_ptr<Call>& call : ending) call->context.TryCancel();
}

}  // namespace millrace
