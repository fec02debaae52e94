#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "api/access/key_gate.hpp"
#include "api/grpc/server.hpp"
#include "api/http/server.hpp"
#include "api/http/service.hpp"
#include "api/rest/routes.hpp"
#include "config/server_config.hpp"
#include "node/node.hpp"
#include "server/long_answers.hpp"

namespace millrace {

// Everything of a server that speaks to the outside: the listeners for REST, gRPC and metrics, the
// routes, the keys that callers show, and answers that take longer than a request.
class Front {
public:
    Front(const NodeContext& context, Node& node, const ServerConfig& config);

    // Fails when a port is taken; the sentence names the flag for another.
    Status start(runtime::LoopRunner& runner);

    std::uint16_t rest_port() const { return rest_server_.port(); }
    // 0 when there is no gRPC.
    std::uint16_t grpc_port() const { return grpc_server_ ? grpc_server_->port() : 0; }
    std::uint16_t metrics_port() const { return admin_server_.port(); }

    // No new requests; waits for those under way. False when some were cut off.
    bool drain(Duration patience);
    void stop_long_answers(runtime::LoopRunner& runner);
    // Metrics are there to the last.
    void stop() { admin_server_.drain(Duration::zero()); }

private:
    rest::Context rest_context();
    rpc::ServerConfig grpc_listener() const;
    std::vector<std::string> not_ready() const;
    http::ServiceConfig exposure(const observe::Tracer* tracer);
    void check_first_key();

    const NodeContext context_;
    Node& node_;
    const ServerConfig& config_;
    std::atomic<bool> is_draining_ = false;
    access::KeyCache keys_;
    LongAnswers long_answers_;
    InstanceIds instance_ids_;
    access::KeyGate gate_;
    http::Router rest_router_;
    http::Router admin_router_;
    http::Service rest_service_;
    http::Service admin_service_;
    http::Server rest_server_;
    http::Server admin_server_;
    std::optional<rpc::Server> grpc_server_{};
};

// Whether only this machine can reach that address.
bool is_loopback(const std::string& address);

}  // namespace millrace
