#include <fmt/format.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <millrace/v1/instances.pb.h>
#include <millrace/v1/jobs.pb.h>

#include <atomic>
#include <memory>
#include <vector>

#include "load/clients.hpp"
#include "load/documents.hpp"

namespace millrace::bench {

namespace {

namespace wire = millrace::v1;

constexpr int kRpcWaitSeconds = 1;  // The end of a run waits for the polls under way.
constexpr int kRpcCallsPerStep = 3;

// One unary call at a time on a channel of its own, as HttpConnection does it over REST.
class RpcClient {
public:
    explicit RpcClient(std::uint16_t port) {
        grpc::ChannelArguments arguments;
        arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // Or all share one connection.
        channel_ = grpc::CreateCustomChannel(fmt::format("127.0.0.1:{}", port),
                                             grpc::InsecureChannelCredentials(), arguments);
    }

    // Any answer but a success ends the program: a benchmark that counts errors measures nothing.
    template <class Reply, class Request, class OnReply>
    void call(const char* method, const Request& request, OnReply on_reply) {
        struct Call {
            grpc::ClientContext context{};
            Reply reply{};
        };
        const auto kept = std::make_shared<Call>();
        grpc::TemplatedGenericStub<Request, Reply>(channel_).UnaryCall(
            &kept->context, method, {}, &request, &kept->reply,
            [kept, method, on_reply](const grpc::Status& status) {
                if (!status.ok()) {
                    fmt::print(stderr, "{}: {}\n", method, status.error_message());
                    std::_Exit(1);
                }
                on_reply(kept->reply);
            });
    }

private:
    std::shared_ptr<grpc::Channel> channel_;
};

// Clients that take one step after the other, each step being some calls.
class RpcLoad {
public:
    explicit RpcLoad(const LoadOptions& options) : options_(options) {
        for (int i = 0; i < options.clients; ++i) {
            clients_.push_back(std::make_unique<RpcClient>(options.grpc_port));
        }
    }
    virtual ~RpcLoad() = default;

    std::string run() {
        using namespace std::chrono;
        active_ = options_.clients;
        for (const auto& client : clients_) next_step(*client);
        loop_.run_until(Clock::now() + milliseconds(500));  // To settle, as in run_steps.
        const std::size_t warm_up = completed_;
        const auto began = Clock::now();
        loop_.run_until(began + duration_cast<Clock::duration>(duration<double>(options_.seconds)));
        const std::size_t completed = completed_;
        const double seconds = duration<double>(Clock::now() - began).count();
        is_over_ = true;
        for (int active = 0; (active = active_) > 0;) active_.wait(active);
        return fmt::format(R"({{"perSecond":{:.1f},"count":{},"total":{}}})",
                           static_cast<double>(completed - warm_up) / seconds, completed - warm_up,
                           completed);
    }

protected:
    virtual void begin_step(RpcClient& client) = 0;

    void next_step(RpcClient& client) {
        if (!is_over_) return begin_step(client);
        --active_;
        active_.notify_one();
    }

    void end_step(RpcClient& client) {
        ++completed_;
        next_step(client);
    }

    EventLoop& loop() { return loop_; }

private:
    const LoadOptions& options_;
    EventLoop loop_{};  // Only waits: gRPC has threads of its own.
    std::atomic<std::size_t> completed_ = 0;
    std::atomic<bool> is_over_ = false;
    std::atomic<int> active_ = 0;  // Clients that go round.
    std::vector<std::unique_ptr<RpcClient>> clients_{};
};

// Every client goes round start, poll, complete, as in run_steps.
class RpcStepLoad final : public RpcLoad {
public:
    explicit RpcStepLoad(const LoadOptions& options) : RpcLoad(options) {
        HttpConnection(loop(), options.ports.front())
            .post_and_wait(kDefinitionsPath, definition(options.job_type, 1));
        start_.set_definition_id(options.job_type);
        poll_.set_worker_id("bench");
        poll_.add_job_types(options.job_type);
        poll_.set_max_jobs(1);
        poll_.set_wait_seconds(kRpcWaitSeconds);
    }

private:
    void begin_step(RpcClient& client) override {
        client.call<wire::Instance>("/millrace.v1.Instances/StartInstance", start_,
                                    [this, &client](const wire::Instance&) { poll_next(client); });
    }

    void poll_next(RpcClient& client) {
        client.call<wire::PollJobsResponse>("/millrace.v1.Jobs/PollJobs", poll_,
                                            [this, &client](const wire::PollJobsResponse& answer) {
                                                if (answer.jobs().empty()) return next_step(client);
                                                complete(client, answer.jobs(0));
                                            });
    }

    void complete(RpcClient& client, const wire::DeliveredJob& job) {
        wire::CompleteJobRequest request;
        request.set_id(job.id());
        request.set_worker_id("bench");
        request.set_lease_token(job.lease_token());
        client.call<wire::CompleteJobResponse>(
            "/millrace.v1.Jobs/CompleteJob", request,
            [this, &client](const wire::CompleteJobResponse&) { end_step(client); });
    }

    wire::StartInstanceRequest start_{};
    wire::PollJobsRequest poll_{};
};

// As many calls as a step has, of the health service, which is gRPC's own: the least that they
// cost, whatever is behind them.
class RpcFloorLoad final : public RpcLoad {
public:
    using RpcLoad::RpcLoad;

private:
    void begin_step(RpcClient& client) override { check(client, kRpcCallsPerStep); }

    void check(RpcClient& client, int left) {
        if (left == 0) return end_step(client);
        client.call<grpc::ByteBuffer>(
            "/grpc.health.v1.Health/Check", empty_,
            [this, &client, left](const grpc::ByteBuffer&) { check(client, left - 1); });
    }

    const grpc::Slice nothing_{};
    const grpc::ByteBuffer empty_{&nothing_, 1};
};

}  // namespace

std::string run_grpc_steps(const LoadOptions& options) {
    return RpcStepLoad(options).run();
}

std::string run_grpc_floor(const LoadOptions& options) {
    return RpcFloorLoad(options).run();
}

}  // namespace millrace::bench
