#include "support/fake_temporal.hpp"

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <temporal/workflow_service.grpc.pb.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace millrace {

class FakeTemporal::Listener : public wire::WorkflowService::CallbackService {
public:
    Listener(FakeTemporal& fake, int calls_max) : fake_(fake) {
        grpc::ServerBuilder builder;
        builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
        builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, calls_max);
        builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
        builder.RegisterService(this);
        server_ = builder.BuildAndStart();
    }

    ~Listener() override { server_->Shutdown(std::chrono::system_clock::now()); }

    int port() const { return port_; }
    const std::atomic<int>& starts() const { return starts_; }
    int system_infos() const { return system_infos_; }

private:
    // Ends with the call of a client that has given up.
    struct Held : grpc::ServerUnaryReactor {
        void OnCancel() override { Finish(grpc::Status::CANCELLED); }
        void OnDone() override { delete this; }
    };

    static grpc::ServerUnaryReactor* answered(grpc::CallbackServerContext* context,
                                              const FakeStatus& status) {
        if (status.is_held) return new Held;
        grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
        reactor->Finish({static_cast<grpc::StatusCode>(status.code), status.message});
        return reactor;
    }

    grpc::ServerUnaryReactor* StartWorkflowExecution(
        grpc::CallbackServerContext* context, const wire::StartWorkflowExecutionRequest* request,
        wire::StartWorkflowExecutionResponse* response) override {
        response->set_run_id("run-" + std::to_string(starts_ + 1));
        const OnStart script = fake_.on_start.get();
        const FakeStatus status = script ? script(*request) : FakeStatus{};
        ++starts_;
        starts_.notify_all();
        return answered(context, status);
    }

    grpc::ServerUnaryReactor* DescribeWorkflowExecution(
        grpc::CallbackServerContext* context, const wire::DescribeWorkflowExecutionRequest* request,
        wire::DescribeWorkflowExecutionResponse* response) override {
        return answered(context, fake_.on_describe.get()(*request, *response));
    }

    grpc::ServerUnaryReactor* GetWorkflowExecutionHistory(
        grpc::CallbackServerContext* context,
        const wire::GetWorkflowExecutionHistoryRequest* request,
        wire::GetWorkflowExecutionHistoryResponse* response) override {
        return answered(context, fake_.on_history.get()(*request, *response));
    }

    grpc::ServerUnaryReactor* GetSystemInfo(grpc::CallbackServerContext* context,
                                            const wire::GetSystemInfoRequest*,
                                            wire::GetSystemInfoResponse*) override {
        ++system_infos_;
        const OnSystemInfo script = fake_.on_system_info.get();
        return answered(context, script ? script() : FakeStatus{});
    }

    FakeTemporal& fake_;
    int port_ = 0;
    std::atomic<int> starts_ = 0;
    std::atomic<int> system_infos_ = 0;
    std::unique_ptr<grpc::Server> server_{};
};

FakeTemporal::FakeTemporal(int calls_max)
    : listener_(std::make_unique<Listener>(*this, calls_max)) {}

FakeTemporal::~FakeTemporal() = default;

int FakeTemporal::port() const {
    return listener_->port();
}

int FakeTemporal::starts() const {
    return listener_->starts();
}

int FakeTemporal::system_infos() const {
    return listener_->system_infos();
}

void FakeTemporal::wait_for_starts(int count) const {
    for (int seen = starts(); seen < count; seen = starts()) listener_->starts().wait(seen);
}

}  // namespace millrace
