#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/grpc/method.hpp"
#include "api/http/service.hpp"
#include "api/http/tls_context.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "runtime/loop_runner.hpp"

namespace millrace::rpc {

struct ServerConfig {
    // Those that this machine does not have are left out; one of them has to be there.
    std::vector<std::string> addresses{"127.0.0.1", "::1"};
    std::uint16_t port = 9090;  // 0: any that is free.
    int thread_count = 2;
    std::optional<http::TlsConfig> tls{};
    // What the health service says of this server. Asked now and then, by a thread of its own.
    std::function<bool()> is_ready = [] {
        return true;
    };
};

// Listens for gRPC and makes each call a request of the service, so that whatever holds over REST
// holds here. Offers gRPC's own services for health and reflection.
class Server {
public:
    Server(http::Service& service, observe::Metrics& metrics, observe::Log& log, Methods methods,
           ServerConfig config);
    // Cuts off what is still under way.
    ~Server();

    // unavailable: the port is taken, or there is no such address. The sentence names it.
    Status start(runtime::LoopRunner& runner);
    std::uint16_t port() const;

    // Refuses new calls, tells that it is not healthy any more, and ends calls whose message has
    // not come and streams that may end at any time.
    void begin_drain();
    // Waits until the others have their answers and stops listening: false when `patience` was at
    // its end, and some were cut off.
    bool end_drain(Duration patience);
    // After that: its threads.
    void stop(runtime::LoopRunner& runner);

private:
    struct Running;

    std::unique_ptr<Running> running_;
};

}  // namespace millrace::rpc
