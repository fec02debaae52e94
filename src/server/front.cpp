#include "server/front.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "api/admin/routes.hpp"
#include "api/grpc/millrace/millrace_methods.hpp"
#include "api/grpc/workflow/methods.hpp"
#include "server/local_keys.hpp"
#include "server/queue_options.hpp"

namespace millrace {

namespace {

http::ServerConfig listener_config(const ServerConfig& config, std::string name, std::uint16_t port,
                                   const TlsFiles& tls) {
    http::ServerConfig listener;
    listener.name = std::move(name);
    listener.port = port;
    const bool is_default = config.listen_address.empty() || config.listen_address == "localhost";
    if (!is_default) listener.addresses = {config.listen_address};
    if (tls != TlsFiles{}) listener.tls = http::TlsConfig{tls.certificate, tls.key};
    return listener;
}

http::ServerConfig rest_listener(const ServerConfig& config) {
    http::ServerConfig listener = listener_config(config, "rest", config.rest_port, config.tls);
    listener.thread_count = config.thread_count;
    if (listener.tls) {
        listener.tls->client_ca_file = config.client_tls.ca;
        listener.tls->is_client_certificate_required = config.client_tls.is_required;
    }
    return listener;
}

access::ClientCertificates client_certificates(const ServerConfig& config) {
    access::ClientCertificates certificates;
    for (const auto& [name, client] : config.clients) {
        Principal principal{.credential = Credential::certificate,
                            .key_id = std::string(kCertificatePrefix) + name,
                            .name = name,
                            .role = parse_role(client.role).value_or(Role::viewer)};
        if (!client.workspace.empty()) principal.workspace_id = WorkspaceId{client.workspace};
        certificates.add(client.certificate, std::move(principal));
    }
    return certificates;
}

// What existing clients speak, and everything that REST has.
rpc::Methods all_rpcs() {
    rpc::Methods rpcs = rpc::workflow_methods();
    std::ranges::move(rpc::millrace_methods(), std::back_inserter(rpcs));
    return rpcs;
}

Error place_error(const Error& error, std::string_view flag) {
    if (error.code != ErrorCode::unavailable) return error;
    return {error.code,
            error.detail + " Say --listen or " + std::string(flag) + " for another place."};
}

}  // namespace

bool is_loopback(const std::string& address) {
    return address.empty() || address == "localhost" || address == "::1" ||
           address.starts_with("127.");
}

Front::Front(const NodeContext& context, Node& node, const ServerConfig& config)
    : context_(context),
      node_(node),
      config_(config),
      keys_(node.queries(), context.clock),
      long_answers_(node, context.database, keys_, context.clock),
      instance_ids_(context.clock, context.random),
      gate_(keys_, context.clock, context.metrics, context.log, client_certificates(config)),
      rest_router_(context.metrics),
      admin_router_(context.metrics),
      rest_service_(rest_router_, context.metrics, context.log, context.clock, context.random,
                    exposure(&context.tracer)),
      admin_service_(admin_router_, context.metrics, context.log, context.clock, context.random,
                     exposure(nullptr)),
      rest_server_(rest_service_, context.metrics, context.log, rest_listener(config)),
      admin_server_(admin_service_, context.metrics, context.log,
                    listener_config(config, "metrics", config.metrics_port, config.metrics_tls)) {
    node.on_key_changed([this](const std::string& id) { keys_.renew(id); });
    rest::add_routes(rest_router_, rest_context());
    admin::add_routes(admin_router_, context.metrics, [this] { node_.measure(); });
    if (config.grpc_port) {
        grpc_server_.emplace(rest_service_, context.metrics, context.log, all_rpcs(),
                             grpc_listener());
    }
    if (config.auth == AuthMode::keys) {
        check_first_key();
        (void)keys_.see_all(*context.database.reader());  // Or each on its first request.
    }
}

// REST comes last: when /readyz answers, everything listens.
Status Front::start(runtime::LoopRunner& runner) {
    long_answers_.start(runner);
    if (const Status started = admin_server_.start(); !started) {
        return place_error(started.error(), "--metrics-port");
    }
    if (grpc_server_) {
        const Status started = grpc_server_->start(runner);
        if (!started) return place_error(started.error(), "--grpc-port");
    }
    const Status started = rest_server_.start();
    if (started) return ok();
    if (grpc_server_) grpc_server_->stop(runner);
    return place_error(started.error(), "--rest-port");
}

bool Front::drain(Duration patience) {
    is_draining_ = true;
    node_.answer_polls();
    if (!grpc_server_) return rest_server_.drain(patience);
    const Instant drained_by = context_.clock.now() + patience;
    grpc_server_->begin_drain();
    const bool is_rest_drained = rest_server_.drain(patience);
    const Duration left = std::max(drained_by - context_.clock.now(), Duration::zero());
    return grpc_server_->end_drain(std::min(left, patience)) && is_rest_drained;
}

void Front::stop_long_answers(runtime::LoopRunner& runner) {
    long_answers_.stop(runner);
    if (grpc_server_) grpc_server_->stop(runner);
}

rest::Context Front::rest_context() {
    return {node_.commands(),
            node_.queries(),
            node_.broker(),
            context_.clock,
            instance_ids_,
            context_.metrics,
            context_.random,
            long_answers_.event_streams(),
            std::make_shared<rest::JobWorkspaces>(),
            long_answers_.back_up(),
            [this] { return not_ready(); },
            config_.audit,
            plans_of(config_),
            dispatch_rules_of(config_),
            [this] { return node_.facts(); },
            &keys_};
}

rpc::ServerConfig Front::grpc_listener() const {
    rpc::ServerConfig listener;
    const http::ServerConfig rest = rest_listener(config_);
    listener.addresses = rest.addresses;
    listener.port = *config_.grpc_port;
    listener.tls = rest.tls;
    listener.is_ready = [this] {
        return not_ready().empty();
    };
    return listener;
}

std::vector<std::string> Front::not_ready() const {
    std::vector<std::string> reasons;
    if (!node_.is_healthy()) reasons.emplace_back("The store does not answer.");
    if (is_draining_) reasons.emplace_back("The server is stopping.");
    return reasons;
}

http::ServiceConfig Front::exposure(const observe::Tracer* tracer) {
    http::ServiceConfig exposure;
    exposure.is_loopback_only = is_loopback(config_.listen_address);
    exposure.gate = config_.auth == AuthMode::keys ? &gate_ : nullptr;
    if (tracer != nullptr) exposure.tracer = tracer;
    return exposure;
}

// A server that asks for keys and has none lets nobody in, unless a certificate does: better say so
// now.
void Front::check_first_key() {
    const bool has_admin = std::ranges::any_of(config_.clients, [](const auto& client) {
        return client.second.role == to_string(Role::admin) && client.second.workspace.empty();
    });
    if (has_admin) return;
    const Result<bool> has_key = has_admin_key(*context_.database.reader(), context_.clock.now());
    if (!has_key || *has_key) return;  // A store that does not answer is told of elsewhere.
    context_.log.warn(
        "No API key lets an admin in yet. Stop the server, make one with `millrace keys create` on "
        "its store (--store or --data-dir), and start it again.");
}

}  // namespace millrace
