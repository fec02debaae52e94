#include "api/grpc/server.hpp"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <set>
#include <utility>

#include "api/grpc/call.hpp"
#include "api/grpc/calls.hpp"
#include "api/grpc/credentials.hpp"
#include "api/grpc/places.hpp"
#include "api/grpc/reflection.hpp"
#include "api/grpc/reflection_call.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

constexpr int kMailboxes = 2;
constexpr Duration kHealthPause = std::chrono::seconds(1);
// For calls of gRPC's own services, which nobody else ends: they may stay open for days.
constexpr Duration kShutdownPatience = std::chrono::milliseconds(200);
constexpr int kFreePortTries = 10;

int milliseconds(Duration duration) {
    return static_cast<int>(
        std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
}

gpr_timespec after(Duration duration) {
    return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                        gpr_time_from_micros(duration.count(), GPR_TIMESPAN));
}

std::vector<std::shared_ptr<Mailbox>> make_mailboxes() {
    std::vector<std::shared_ptr<Mailbox>> mailboxes;
    for (int i = 0; i < kMailboxes; ++i) {
        mailboxes.push_back(std::make_shared<Mailbox>("grpc-" + std::to_string(i)));
    }
    return mailboxes;
}

// The services of these methods, and gRPC's own.
std::vector<std::string> services_of(const Methods& methods) {
    std::set<std::string> names(std::begin(kReflectionServices), std::end(kReflectionServices));
    names.emplace(kHealthService);
    for (const auto& method : methods) {
        names.insert(method->name().substr(1, method->name().find('/', 1) - 1));
    }
    return {names.begin(), names.end()};
}

std::string listening_text(const std::string& address, std::uint16_t port) {
    const bool is_v6 = address.find(':') != std::string::npos;
    return (is_v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

void set_limits(grpc::ServerBuilder& builder) {
    grpc::ResourceQuota quota("millrace");
    quota.Resize(limits::kRpcMemoryMax);
    builder.SetResourceQuota(quota);
    builder.SetMaxReceiveMessageSize(static_cast<int>(limits::kBodyBytesMax));
    builder.SetMaxSendMessageSize(-1);
    // A second server on the port is a mistake and must hear of it.
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, limits::kRpcCallsPerConnectionMax);
    builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE,
                               static_cast<int>(limits::kHeaderBytesMax));
    // A peer that has vanished is noticed; whoever asks often whether we are there is not sent
    // away.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, milliseconds(limits::kRpcKeepalive));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                               milliseconds(limits::kRpcKeepaliveTimeout));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
    // A few kilobytes could become gigabytes before gRPC looks at their size.
    builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
    builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
}

// Of a method that nobody serves.
class UnknownCall final : public grpc::ServerGenericBidiReactor {
public:
    explicit UnknownCall(const std::string& method) {
        Finish({grpc::StatusCode::UNIMPLEMENTED, "There is no rpc " + method + " here."});
    }
    void OnDone() override { delete this; }
};

}  // namespace

struct Server::Running {
    // What gRPC calls. It takes each of them once, so every try to listen has its own.
    struct Entrance final : public grpc::CallbackGenericService {
        explicit Entrance(Running& to) : running(to) {}
        grpc::ServerGenericBidiReactor* CreateReactor(
            grpc::GenericCallbackServerContext* context) override {
            return running.begin_call(*context);
        }
        Running& running;
    };

    Running(http::Service& service, observe::Metrics& metrics, observe::Log& server_log,
            Methods served, ServerConfig server_config)
        : log(server_log),
          methods(std::move(served)),
          config(std::move(server_config)),
          services(services_of(methods)),
          mailboxes(make_mailboxes()),
          calls(service, metrics, methods, mailboxes),
          reflections(services, service.clock()),
          unknown(metrics, "unmatched"),
          health_loop("grpc-health", [this] { return look_after(); }) {}

    grpc::ServerGenericBidiReactor* begin_call(grpc::GenericCallbackServerContext& context) {
        if (is_reflection(context.method())) return reflections.start(context);
        if (Served* found = calls.find(context.method())) {
            return std::make_shared<Call>(calls, *found, context)->start();
        }
        unknown.record(Code::unimplemented, Duration::zero());
        return new UnknownCall(context.method());
    }

    Status listen() {
        const Result<Places> places = find_places(config.addresses, config.port);
        if (!places) return places.error();
        const auto credentials = credentials_of(config.tls);
        if (!credentials) return credentials.error();
        grpc::ServerBuilder builder;
        set_limits(builder);
        std::vector<int> ports(places->addresses.size(), 0);
        for (std::size_t i = 0; i < ports.size(); ++i) {
            builder.AddListeningPort(listening_text(places->addresses[i], places->port),
                                     *credentials, &ports[i]);
        }
        server.reset();
        entrance = std::make_unique<Entrance>(*this);
        builder.RegisterCallbackGenericService(entrance.get());
        server = builder.BuildAndStart();
        const bool is_everywhere = server != nullptr && std::ranges::count(ports, 0) == 0;
        if (!is_everywhere) {
            shut_down();
            return listen_error(places->addresses[0], places->port, "somebody was faster");
        }
        port = places->port;
        return ok();
    }

    runtime::Loop::Next look_after() {
        tell_if_ready();
        reflections.end_idle();
        calls.end_late();
        return {.after = kHealthPause};
    }

    // Each time it is told, gRPC writes to everybody who watches.
    void tell_if_ready() {
        if (server == nullptr) return;
        const MutexLock lock(health_mutex);
        const bool is_healthy = !calls.is_draining() && config.is_ready();
        if (std::exchange(told, is_healthy) == is_healthy) return;
        server->GetHealthCheckService()->SetServingStatus(is_healthy);
    }

    // All calls end: gRPC cancels them, and each ends itself.
    void shut_down() {
        if (server == nullptr) return;
        server->Shutdown(after(kShutdownPatience));
        server->Wait();
    }

    observe::Log& log;
    const Methods methods;
    const ServerConfig config;
    const std::vector<std::string> services;
    const std::vector<std::shared_ptr<Mailbox>> mailboxes;
    Calls calls;
    ReflectionCalls reflections;
    RpcMetrics unknown;
    runtime::Loop health_loop;
    Mutex health_mutex;
    std::optional<bool> told MILLRACE_GUARDED_BY(health_mutex);
    std::unique_ptr<Entrance> entrance{};
    std::unique_ptr<grpc::Server> server{};
    std::uint16_t port = 0;
};

Server::Server(http::Service& service, observe::Metrics& metrics, observe::Log& log,
               Methods methods, ServerConfig config)
    : running_(std::make_unique<Running>(service, metrics, log, std::move(methods),
                                         std::move(config))) {}

Server::~Server() {
    running_->shut_down();
    for (const auto& mailbox : running_->mailboxes) mailbox->close();
}

Status Server::start(runtime::LoopRunner& runner) {
    Running& running = *running_;
    grpc::EnableDefaultHealthCheckService(true);
    // They would write lines of their own to the standard error: one for each handshake that fails,
    // one for each text that is no UTF-8.
    gpr_set_log_function([](gpr_log_func_args*) {});
    google::protobuf::SetLogHandler(nullptr);
    Status listening = running.listen();
    // Somebody else may have found the same free port at the same moment.
    for (int tries = 1; !listening && running.config.port == 0 && tries < kFreePortTries; ++tries) {
        listening = running.listen();
    }
    if (!listening) return listening;
    grpc::HealthCheckServiceInterface& health = *running.server->GetHealthCheckService();
    for (const std::string& service : running.services) health.SetServingStatus(service, true);
    for (const auto& mailbox : running.mailboxes) runner.start(mailbox->loop());
    runner.start(running.health_loop);
    running.log.info(
        "Listening.",
        {{"server", "grpc"}, {"port", running.port}, {"tls", running.config.tls.has_value()}});
    return ok();
}

std::uint16_t Server::port() const {
    return running_->port;
}

void Server::begin_drain() {
    running_->calls.drain();
    running_->tell_if_ready();
}

bool Server::end_drain(Duration patience) {
    const bool is_drained = running_->calls.open().wait_for_none(patience);
    running_->shut_down();
    return is_drained;
}

void Server::stop(runtime::LoopRunner& runner) {
    runner.stop(running_->health_loop);
    for (const auto& mailbox : running_->mailboxes) {
        runner.stop(mailbox->loop());
        mailbox->close();
    }
}

}  // namespace millrace::rpc
