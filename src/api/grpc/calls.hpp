#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/grpc/health.hpp"
#include "api/grpc/method.hpp"
#include "api/grpc/reflection.hpp"
#include "api/grpc/rpc_metrics.hpp"
#include "api/http/service.hpp"
#include "api/http/session_count.hpp"

namespace millrace::rpc {

class Stream;
class Talk;

// One rpc that is served.
struct Served {
    Served(const Method& served, observe::Metrics& metrics, bool is_open_to_all);

    const Method& method;
    const std::string name;  // Without the first slash: workflow.v1.WorkflowEngine/GetInstance
    const bool is_open;      // Nobody is asked for a key.
    RpcMetrics metrics;
};

// What all calls of a server share. Thread-safe, but for the methods, which are all there before it
// starts.
class Calls {
public:
    Calls(http::Service& service, observe::Metrics& metrics, const Methods& methods);

    // Who answers this call.
    std::shared_ptr<Talk> new_talk(Stream& stream);

    http::Service& service() { return service_; }
    Health& health() { return health_; }
    const Reflection& reflection() const { return reflection_; }
    std::atomic<int>& reflections() { return reflections_; }
    // Those of rpcs of ours.
    http::SessionCount& open() { return open_; }
    bool is_draining() const { return is_draining_; }
    // Calls that come from now on are refused.
    void drain() { is_draining_ = true; }

private:
    http::Service& service_;
    std::map<std::string, Served, std::less<>> served_{};
    const std::vector<std::string> services_;
    Health health_;
    const Reflection reflection_;
    std::atomic<int> reflections_{0};  // Conversations under way.
    RpcMetrics unknown_;
    http::SessionCount open_;
    std::atomic<bool> is_draining_{false};
};

}  // namespace millrace::rpc
