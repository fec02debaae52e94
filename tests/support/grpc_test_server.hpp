#pragma once

#include <google/protobuf/struct.pb.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/grpc/server.hpp"
#include "base/mutex.hpp"
#include "core/limits.hpp"
#include "runtime/csprng_random.hpp"
#include "runtime/loop_thread.hpp"
#include "runtime/system_clock.hpp"
#include "support/grpc_buffers.hpp"

namespace millrace {

// An rpc whose message is the body of POST /echo/<name>, and whose reply is the body of the answer.
class EchoMethod final : public rpc::Method {
public:
    explicit EchoMethod(const std::string& name,
                        const google::protobuf::Descriptor* input = nullptr)
        : name_("/test.Echo/" + name), path_("/" + name), input_(input) {}

    const std::string& name() const override { return name_; }
    const google::protobuf::Descriptor* input() const override { return input_; }
    Result<rpc::RestCall> to_call(std::string_view message) const override {
        if (message == "bad") return Error{ErrorCode::invalid_argument, "It is bad."};
        if (message.starts_with("?")) {
            return rpc::RestCall{
                .method = "POST", .path = path_, .query = std::string(message.substr(1))};
        }
        if (message == "twice as long") {
            return rpc::RestCall{.method = "POST",
                                 .path = path_,
                                 .body = std::string(limits::kBodyBytesMax + 1, 'x')};
        }
        return rpc::RestCall{.method = "POST", .path = path_, .body = std::string(message)};
    }
    Result<std::string> to_reply(const http::HttpResponse& response) const override {
        if (response.body == "unfit") return Error{ErrorCode::too_large, "It does not fit."};
        return response.body;
    }
    // A message for each letter.
    std::unique_ptr<rpc::ReplyStream> reply_stream() const override {
        struct Letters final : rpc::ReplyStream {
            Result<std::vector<std::string>> take(std::string_view piece) override {
                std::vector<std::string> letters;
                for (const char letter : piece) letters.emplace_back(1, letter);
                return letters;
            }
        };
        return std::make_unique<Letters>();
    }

private:
    const std::string name_;
    const std::string path_;
    const google::protobuf::Descriptor* const input_;
};

// The machine's time, and what a test adds to it.
class AdvancedClock final : public Clock {
public:
    Instant now() const override { return system_.now() + ahead_.load(); }
    void advance(Duration step) { ahead_ = ahead_.load() + step; }

private:
    runtime::SystemClock system_;
    std::atomic<Duration> ahead_{Duration::zero()};
};

// A server of gRPC on a free port of this machine, with all that it needs. Add routes, then start.
class GrpcTestServer {
public:
    ~GrpcTestServer() { stop(); }

    // Lets the server's clock go forward by so much.
    void advance(Duration step) { clock_.advance(step); }

    http::Router& router() { return router_; }
    observe::Metrics& metrics() { return metrics_; }
    rpc::Server& server() { return *server_; }
    std::size_t bodies_bytes() const { return service_->bodies()->bytes_taken(); }

    void start(const std::vector<std::string>& names, http::ServiceConfig service_config = {}) {
        service_ = std::make_unique<http::Service>(router_, metrics_, log_, clock_, random_,
                                                   service_config);
        rpc::Methods methods;
        for (const std::string& name : names) {
            // The message of this one is of protobuf.
            const auto* input =
                name == "list" ? google::protobuf::ListValue::descriptor() : nullptr;
            methods.push_back(std::make_unique<EchoMethod>(name, input));
        }
        rpc::ServerConfig config;
        config.port = 0;
        server_ = std::make_unique<rpc::Server>(*service_, metrics_, log_, std::move(methods),
                                                std::move(config));
        const Status status = server_->start(threads_);
        ASSERT_TRUE(status) << status.error().detail;
        channel_ = new_channel();
    }
    void stop() {
        if (server_ == nullptr) return;
        server_->begin_drain();
        (void)server_->end_drain(Duration::zero());
        server_->stop(threads_);
    }

    std::string address() const { return "127.0.0.1:" + std::to_string(server_->port()); }
    std::shared_ptr<grpc::Channel> new_channel() const {
        grpc::ChannelArguments arguments;
        arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // A connection of its own.
        return grpc::CreateCustomChannel(address(), grpc::InsecureChannelCredentials(), arguments);
    }
    const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }

    std::vector<std::string> log_lines() {
        const MutexLock lock(mutex_);
        return lines_;
    }

private:
    Mutex mutex_;
    std::vector<std::string> lines_ MILLRACE_GUARDED_BY(mutex_);
    observe::Log log_{{.level = observe::LogLevel::debug,
                       .format = observe::LogFormat::json,
                       .sink = [this](std::string_view line) {
                           const MutexLock lock(mutex_);
                           lines_.emplace_back(line);
                       }}};
    observe::Metrics metrics_;
    AdvancedClock clock_;
    runtime::CsprngRandom random_;
    http::Router router_{metrics_};
    std::unique_ptr<http::Service> service_{};
    std::unique_ptr<rpc::Server> server_{};
    runtime::LoopThreads threads_{};
    std::shared_ptr<grpc::Channel> channel_{};
};

// A unary call under way.
class TestCall {
public:
    using Metadata = std::vector<std::pair<std::string, std::string>>;

    TestCall(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
             std::string message, const Metadata& metadata = {})
        : stub_(channel), request_(buffer_of(std::move(message))) {
        for (const auto& [name, value] : metadata) context.AddMetadata(name, value);
        context.set_deadline(
            gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_seconds(30, GPR_TIMESPAN)));
        method_ = method;
    }
    TestCall& start() {
        stub_.UnaryCall(&context, method_, {}, &request_, &reply_,
                        [this](grpc::Status status) { status_.set_value(std::move(status)); });
        return *this;
    }
    const grpc::Status& wait() {
        if (!is_over_) ended_ = status_.get_future().get();
        is_over_ = true;
        return ended_;
    }
    std::string reply() { return taken_bytes(reply_); }

    grpc::ClientContext context;

private:
    grpc::GenericStub stub_;
    std::string method_{};
    grpc::ByteBuffer request_;
    grpc::ByteBuffer reply_{};
    std::promise<grpc::Status> status_{};
    grpc::Status ended_{};
    bool is_over_ = false;
};

// A call whose messages are sent and read one by one. Each step waits until it is done.
class TestStream {
public:
    TestStream(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
               const TestCall::Metadata& metadata = {})
        : stub_(channel) {
        for (const auto& [name, value] : metadata) context.AddMetadata(name, value);
        context.set_deadline(
            gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_seconds(30, GPR_TIMESPAN)));
        stream_ = stub_.PrepareCall(&context, method, &queue_);
        stream_->StartCall(nullptr);
        (void)next();
    }
    ~TestStream() {
        if (!is_over_) {
            context.TryCancel();
            (void)finish();
        }
    }

    bool write(std::string message) {
        stream_->Write(buffer_of(std::move(message)), nullptr);
        return next();
    }
    bool end_writing() {
        stream_->WritesDone(nullptr);
        return next();
    }
    std::optional<std::string> read() {
        grpc::ByteBuffer message;
        stream_->Read(&message, nullptr);
        if (!next()) return std::nullopt;
        return taken_bytes(message);
    }
    grpc::Status finish() {
        grpc::Status status;
        is_over_ = true;
        stream_->Finish(&status, nullptr);
        (void)next();
        return status;
    }

    grpc::ClientContext context;

private:
    bool next() {
        void* tag = nullptr;
        bool is_ok = false;
        return queue_.Next(&tag, &is_ok) && is_ok;
    }

    grpc::GenericStub stub_;
    grpc::CompletionQueue queue_{};
    std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_{};
    bool is_over_ = false;
};

}  // namespace millrace
