#include "api/grpc/server.hpp"

#include <google/protobuf/stubs/logging.h>

#include <utility>

#include "api/grpc/calls.hpp"
#include "api/grpc/connection.hpp"
#include "api/http/server.hpp"
#include "runtime/loop.hpp"

namespace millrace::rpc {

namespace {

constexpr Duration kHealthPause = std::chrono::seconds(1);
// For clients to hear that a connection without calls is over.
constexpr Duration kGoodbyePatience = std::chrono::seconds(1);

http::ServerConfig listener_of(const ServerConfig& config, Calls& calls) {
    http::ServerConfig listener;
    listener.name = "grpc";
    listener.addresses = config.addresses;
    listener.port = config.port;
    listener.thread_count = config.thread_count;
    listener.tls = config.tls;
    if (listener.tls) listener.tls->is_http2 = true;
    listener.make_connection = [&calls](http::Loop& loop, http::TcpStream stream) {
        return std::make_shared<Connection>(loop, std::move(stream), calls);
    };
    return listener;
}

}  // namespace

struct Server::Running {
    Running(http::Service& service, observe::Metrics& metrics, observe::Log& log, Methods served,
            ServerConfig server_config)
        : methods(std::move(served)),
          config(std::move(server_config)),
          calls(service, metrics, methods),
          health_loop("grpc-health", [this] { return tell_if_ready(); }),
          server(service, metrics, log, listener_of(config, calls)) {}

    runtime::Loop::Next tell_if_ready() {
        calls.health().set(!calls.is_draining() && config.is_ready());
        return {.after = kHealthPause};
    }

    const Methods methods;
    const ServerConfig config;
    Calls calls;
    runtime::Loop health_loop;
    http::Server server;  // Before it nobody calls, and after it neither.
};

Server::Server(http::Service& service, observe::Metrics& metrics, observe::Log& log,
               Methods methods, ServerConfig config)
    : running_(std::make_unique<Running>(service, metrics, log, std::move(methods),
                                         std::move(config))) {}

Server::~Server() = default;

Status Server::start(runtime::LoopRunner& runner) {
    // It would write lines of its own to the standard error, for each text that is not UTF-8.
    google::protobuf::SetLogHandler(nullptr);
    running_->tell_if_ready();
    const Status started = running_->server.start();
    if (started) runner.start(running_->health_loop);
    return started;
}

std::uint16_t Server::port() const {
    return running_->server.port();
}

void Server::begin_drain() {
    running_->calls.drain();
    running_->tell_if_ready();
    running_->server.begin_drain();
}

bool Server::end_drain(Duration patience) {
    const bool is_drained = running_->calls.open().wait_for_none(patience);
    running_->server.begin_drain();
    if (!is_drained || !running_->server.wait_for_drain(kGoodbyePatience)) {
        running_->server.cut_off();
    }
    return is_drained;
}

void Server::stop(runtime::LoopRunner& runner) {
    runner.stop(running_->health_loop);
}

}  // namespace millrace::rpc
