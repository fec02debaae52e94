#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/mutex.hpp"
#include "base/time.hpp"
#include "executor/temporal/call_status.hpp"
#include "executor/temporal/wire.hpp"

namespace grpc {
class Channel;
}

namespace millrace {

// A moment on the clock by which gRPC counts its deadlines. Several calls can share one.
struct Deadline {
    std::int64_t seconds = 0;
    std::int32_t nanoseconds = 0;
};

Deadline deadline_in(Duration timeout);

// Whether gRPC can send it as the value of a header; it aborts when it is given anything else.
bool is_header_text(std::string_view text);

// The calls of Temporal's service on one channel. `done` is called once, on a thread of gRPC; what
// it is given lives until it returns. Thread-safe.
class Service {
public:
    template <class Response>
    using Done = std::function<void(const CallStatus&, const Response&)>;

    Service(std::shared_ptr<grpc::Channel> channel, std::string api_key);
    // Ends what is under way and waits for it.
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    void start(wire::StartWorkflowExecutionRequest&& request, Deadline deadline,
               Done<wire::StartWorkflowExecutionResponse> done);
    void describe(wire::DescribeWorkflowExecutionRequest&& request, Deadline deadline,
                  Done<wire::DescribeWorkflowExecutionResponse> done);
    void get_history(wire::GetWorkflowExecutionHistoryRequest&& request, Deadline deadline,
                     Done<wire::GetWorkflowExecutionHistoryResponse> done);
    void list(wire::ListWorkflowExecutionsRequest&& request, Deadline deadline,
              Done<wire::ListWorkflowExecutionsResponse> done);
    void request_cancel(wire::RequestCancelWorkflowExecutionRequest&& request, Deadline deadline,
                        Done<wire::RequestCancelWorkflowExecutionResponse> done);
    void terminate(wire::TerminateWorkflowExecutionRequest&& request, Deadline deadline,
                   Done<wire::TerminateWorkflowExecutionResponse> done);
    void describe_namespace(wire::DescribeNamespaceRequest&& request, Deadline deadline,
                            Done<wire::DescribeNamespaceResponse> done);
    void get_system_info(wire::GetSystemInfoRequest&& request, Deadline deadline,
                         Done<wire::GetSystemInfoResponse> done);

    // Whether a connection stands and the latest call did not fail for want of one. When it does
    // not stand, this is what makes gRPC connect.
    bool is_connected() const;

    // Ends everything under way as cancelled, and everything that begins later.
    void stop();

private:
    struct Call;
    template <class Request, class Response>
    struct CallOf;
    class Stub;

    template <class Method, class Request, class Response>
    void issue(Method method, Request&& request, Deadline deadline, Done<Response> done);
    void begin(const std::shared_ptr<Call>& call);
    void end(std::shared_ptr<Call> call);
    void note(const CallStatus& status);

    const std::shared_ptr<grpc::Channel> channel_;
    const std::unique_ptr<Stub> stub_;
    const std::string authorization_;  // Of every call; empty for none.
    std::atomic<bool> is_lost_ = false;
    Mutex mutex_;
    std::condition_variable_any all_ended_;
    bool is_stopped_ MILLRACE_GUARDED_BY(mutex_) = false;
    std::unordered_set<std::shared_ptr<Call>> under_way_ MILLRACE_GUARDED_BY(mutex_);
    int calls_ MILLRACE_GUARDED_BY(mutex_) = 0;  // Those under way, and those that are just ending.
};

}  // namespace millrace
