#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/http/loop.hpp"
#include "api/http/tls_certificate.hpp"
#include "base/result.hpp"
#include "runtime/thread.hpp"

namespace millrace::http {

struct ServerConfig {
    std::string name = "http";  // Of its threads, and in the log.
    // One that this machine does not have is left out, as long as there is another.
    std::vector<std::string> addresses{"127.0.0.1", "::1"};
    std::uint16_t port = 0;  // 0 takes a free one.
    int thread_count = 1;
    std::size_t connections_max = limits::kConnectionsMax;
    SessionLimits session{};
    std::optional<TlsConfig> tls{};    // Without it connections are not encrypted.
    MakeConnection make_connection{};  // What is spoken; HTTP/1.1 when it is not set.
};

// Listens, and hands connections to the loops in turn.
class Server {
public:
    Server(Service& service, observe::Metrics& metrics, observe::Log& log, ServerConfig config);
    ~Server();  // Cuts off whoever is left.

    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // unavailable: an address is taken or not ours; invalid_argument: a file of TLS is not usable.
    // The sentence names it.
    Status start();
    std::uint16_t port() const { return port_; }

    // Takes no new connections, closes idle ones, and waits until the others have their answers:
    // true when all have, false when `patience` was at its end.
    bool drain(Duration patience);
    void begin_drain();
    // Closes the connections that are left.
    void cut_off();
    bool wait_for_drain(Duration patience) { return session_count_.wait_for_none(patience); }

private:
    struct Listener;

    Status listen(const std::string& address);
    void accept(Listener& listener);
    void on_accepted(Listener& listener, Loop& loop, const boost::system::error_code& error,
                     Socket socket);

    Service& service_;
    observe::Log& log_;
    const ServerConfig config_;
    std::uint16_t port_ = 0;
    SessionCount session_count_;
    std::vector<std::unique_ptr<Loop>> loops_{};
    std::vector<std::unique_ptr<Listener>> listeners_{};
    std::size_t next_loop_ = 0;
    std::optional<TlsCertificate> certificate_{};
    std::vector<runtime::Thread> threads_{};
};

}  // namespace millrace::http
